import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "../mixed/sessions.ts";
import type { Step } from "./transcript.ts";

/** Runs the session with this machine's programs. As in Vibey, the folder and exported variables are kept between commands. */
export function inBash(commands: readonly string[]): Step[] {
  const root = mkdtempSync(join(tmpdir(), "vibey-transcript-"));
  const folder = join(root, "project");
  mkdirSync(join(folder, "vibey"), { recursive: true });
  const kept = join(root, "kept");
  writeFileSync(kept, `cd '${folder}'\n`);
  const start = join(root, "start");
  writeFileSync(
    start,
    `source '${kept}'; rm -rf /tmp/scratch; vibey_keep() { local code=$?; { echo "cd '$PWD'"; export -p; } > '${kept}'; return $code; }\ntrap vibey_keep EXIT\nunset BASH_ENV\n`,
  );
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    // Without this, bash mistakes the socket of its input for a remote login and doesn't read BASH_ENV.
    SHLVL: "1",
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    TERM: "dumb",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_PAGER: "cat",
    PYTHONDONTWRITEBYTECODE: "1",
    npm_config_cache: join(root, "npm"),
    npm_config_update_notifier: "false",
    // Where this machine's pip finds packages.
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^PIP_|^SSL_/.test(name))),
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    RUSTUP_HOME: root,
    ...environment,
  };
  try {
    return commands.map((command) => {
      const done = spawnSync("bash", ["-c", `${command}\nexit`], {
        cwd: folder,
        env: { ...env, BASH_ENV: start },
        input: "",
        timeout: 120_000,
      });
      return {
        command,
        stdout: plain(done.stdout.toString().replaceAll(folder, "/project").replaceAll(root, "")),
        stderr: plain(done.stderr.toString().replaceAll(folder, "/project").replaceAll(root, "")),
        exitCode: done.status ?? -1,
      };
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Removes the line number that bash puts into messages. */
export function plain(text: string): string {
  return text.replaceAll(/^(?:\/usr\/bin\/)?bash: line \d+: /gm, "bash: ");
}
