import type { ShellHost } from "../host.ts";
import { isOwnHost } from "../loopback/own-host.ts";
import { failed, type Run } from "./answer.ts";

/** `nc -z`: checks whether a program of the dialog listens on a port. */
export function nc(host: ShellHost): Run {
  return async (args) => {
    const flags = args.filter((arg) => /^-[a-zA-Z0-9]+$/.test(arg)).join("");
    const operands = args.filter((arg, i) => !arg.startsWith("-") && !/^-\w*[wisp]$/.test(args[i - 1] ?? ""));
    const [name, port] = operands;
    if (!flags.includes("z")) return failed("nc", "only -z is here (nc -z localhost 3000); use curl to send and read");
    if (name === undefined || port === undefined || !/^\d+$/.test(port)) return failed("nc", "usage: nc -z [-v] [-w seconds] host port");
    if (!isOwnHost(name)) return failed("nc", `${name}: only localhost can be looked at; use curl for other hosts`);
    const end = await host.ports?.connect(Number(port), { data: () => undefined, end: () => undefined, close: () => undefined });
    const loud = flags.includes("v");
    if (end === null || end === undefined)
      return { stderr: loud ? `nc: connect to ${name} (127.0.0.1) port ${port} (tcp) failed: Connection refused\n` : "", exitCode: 1 };
    end.close();
    return { stderr: loud ? `Connection to ${name} (127.0.0.1) ${port} port [tcp/*] succeeded!\n` : "" };
  };
}
