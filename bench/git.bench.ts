/** Committing 2,000 files and showing their status, compared with git on this machine: the same commands, each in a folder with the same files. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Bash } from "just-bash/browser";
import { runGit } from "../src/shell/embedded/git/command.ts";
import { lazyCommand } from "../src/shell/embedded/commands/command.ts";
import { createShellFiles } from "../src/shell/embedded/shell-files.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const count = 2000;
const bytesEach = 2300;

const contents = Array.from({ length: count }, (_, i): [string, string] => {
  const line = `export const value${i} = ${i}; // line\n`;
  return [`src/part${i % 40}/file${i}.ts`, line.repeat(Math.ceil(bytesEach / line.length)).slice(0, bytesEach)];
});

/** No network, and no one watching. */
const alone: Parameters<typeof runGit>[0] = {
  fetch: async () => ({ kind: "refused", why: "there is no network here" }),
  show: () => undefined,
  project: "/project",
};

interface Side {
  run(line: string): Promise<void>;
  end(): void;
}

async function ours(): Promise<Side> {
  const files = createShellFiles({
    refusal: () => null,
    record: () => undefined,
    fetch: async () => null,
    now: () => Date.now(),
    failure: (message) => new Error(message),
  });
  for (const [path, text] of contents) {
    await files.mkdir(dirname(`/project/${path}`), { recursive: true });
    await files.writeFile(`/project/${path}`, text);
  }
  const bash = new Bash({
    fs: files,
    cwd: "/project",
    customCommands: [lazyCommand("git", async () => runGit(alone))],
    defenseInDepth: false,
  });
  return {
    async run(line) {
      const { exitCode, stderr } = await bash.exec(line);
      if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
    },
    end: () => undefined,
  };
}

function theirs(): Side {
  const folder = mkdtempSync(join(tmpdir(), "vibey-bench-git-"));
  for (const [path, text] of contents) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const person = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" };
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...person };
  return {
    run: async (line) => void execFileSync("bash", ["-c", line], { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] }),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const steps = [
  "git init -q",
  "git status --short > /dev/null",
  "git add -A && git commit -q -m all",
  "git status --short > /dev/null",
  "git diff HEAD --stat > /dev/null",
];

async function time(side: Side): Promise<number[]> {
  const times: number[] = [];
  for (const step of steps) {
    const started = performance.now();
    await side.run(step);
    times.push(performance.now() - started);
  }
  side.end();
  return times;
}

const rounds = 5;
const ratios: number[][] = [];
const own: number[][] = [];
for (let round = 0; round < rounds; round += 1) {
  const limit = await time(theirs());
  const mine = await time(await ours());
  own.push(mine);
  ratios.push(mine.map((ms, i) => ms / (limit[i] ?? ms)));
}
const at = (table: readonly (readonly number[])[], i: number): number => median(table.map((row) => row[i] ?? Number.NaN));
for (const [i, name, most] of [
  [2, "git add -A && git commit of 2,000 files", 20],
  [1, "git status, nothing tracked", 20],
  [3, "git status, all committed", 20],
] as const) {
  note(`${name}: ${at(own, i).toFixed(0)} ms`);
  goal(`${name}: times as long as git`, at(ratios, i), { atMost: most });
}
