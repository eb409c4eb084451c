import { failed, type Run } from "../commands/answer.ts";
import type { ShellHost } from "../host.ts";
import { python } from "./command.ts";
import { sitePackages } from "./site.ts";

/** `pytest` and `py.test`, if pip has installed it. */
export const pytest =
  (host: ShellHost): Run =>
  (args, context) => {
    const installed = host.files.stat(`${sitePackages(context.exportedEnv ?? {})}/pytest/__main__.py`) !== null;
    if (!installed) return failed("pytest", "not installed; run `pip install pytest`, or use `python3 -m unittest`", 127);
    return python(host)(["-m", "pytest", ...args], context);
  };
