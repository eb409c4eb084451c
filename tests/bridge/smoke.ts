import { execFile } from "node:child_process";
import { psk } from "./town.ts";

/** Runs `npm run smoke`. Returns the printed lines and the exit code. */
export function smoke(
  address: string,
  key = psk,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly lines: readonly string[]; readonly failed: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env, VIBECHECK_PSK: key } };
    execFile(process.execPath, ["scripts/smoke.mjs", address], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), lines: stdout.trim().split("\n"), failed: stderr.trim() }),
    );
  });
}
