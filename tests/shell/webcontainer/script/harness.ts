import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { writeShellScript } from "../../../../scripts/vite/shell-script.ts";
import type { ShellDone } from "../../../../src/shell/embedded/protocol.ts";
import type { LiveOutput, Printed } from "../../../../src/shell/sandbox.ts";
import { createLineReader, encodeLine, type FromScript, type ToScript } from "../../../../src/shell/webcontainer/script-protocol.ts";

/** A WebContainer for the script: a project's folder among others, and a PATH with only node, npm, npx, and the sh that npm needs. */
export interface TestContainer {
  /** Contains everything; nothing outside is touched. */
  readonly root: string;
  readonly project: string;
  readonly variables: Readonly<Record<string, string>>;
  put(files: Readonly<Record<string, string>>): void;
  /** The project's files by name. */
  files(): ReadonlyMap<string, Uint8Array>;
  remove(): void;
}

function programOnPath(name: string): string {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    try {
      return realpathSync(join(folder, name));
    } catch {
      // Not in this folder of the PATH.
    }
  }
  throw new Error(`there is no ${name} here`);
}

const programs = ["node", "npm", "npx", "sh"].map((name) => [name, programOnPath(name)] as const);

export function testContainer(files: Readonly<Record<string, string>> = {}): TestContainer {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "vibey-script-")));
  const project = join(root, "home/project");
  for (const folder of [project, join(root, "bin"), join(root, "tmp")]) mkdirSync(folder, { recursive: true });
  for (const [name, path] of programs) symlinkSync(path, join(root, "bin", name));
  const container: TestContainer = {
    root,
    project,
    variables: { PATH: join(root, "bin"), HOME: join(root, "home"), TMPDIR: join(root, "tmp"), TZ: "UTC" },
    put(contents) {
      for (const [name, content] of Object.entries(contents)) {
        mkdirSync(dirname(join(project, name)), { recursive: true });
        writeFileSync(join(project, name), content);
      }
    },
    files: () =>
      new Map(
        readdirSync(project, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((path) => [path.slice(project.length + 1), new Uint8Array(readFileSync(path))]),
      ),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  container.put(files);
  return container;
}

export type Run = Extract<ToScript, { readonly type: "run" }>;

export function runMessage(command: string, container: TestContainer, more: Partial<Run> = {}): Run {
  const times = { timeoutMs: 100_000, maxBytes: 1_000_000, liveCharacters: 262_144 };
  return { type: "run", command, folder: container.project, env: {}, ...times, ...more };
}

/** The path of the script, built once per test file that asks for it. `removeBuilt` runs after its tests. Test files share this module. */
let built: Promise<string> | null = null;
export function builtScript(): Promise<string> {
  built ??= (async () => {
    const path = join(mkdtempSync(join(tmpdir(), "vibey-shell-")), "shell.mjs");
    await writeShellScript(path);
    return path;
  })();
  return built;
}

export async function removeBuilt(): Promise<void> {
  const before = built;
  built = null;
  if (before !== null) rmSync(dirname(await before), { recursive: true, force: true });
}

export interface Outcome {
  readonly done: ShellDone;
  readonly messages: readonly FromScript[];
  readonly stray: string;
  readonly exitCode: number | null;
}

export interface Started {
  readonly child: ChildProcess;
  send(message: ToScript): void;
  /** Resolves when such a message has arrived. */
  said<Type extends FromScript["type"]>(type: Type, like?: (message: Extract<FromScript, { type: Type }>) => boolean): Promise<void>;
  readonly messages: readonly FromScript[];
  /** Resolves when the process ends. `printed`: its whole standard output. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly stray: string; readonly printed: string }>;
}

export interface StartOptions {
  /** Answers the shell's command `background`. */
  readonly answers?: (operands: readonly string[]) => Printed | null;
  readonly nodeOptions?: readonly string[];
}

/** Starts the built script in a process. */
export async function startScript(
  container: TestContainer,
  { answers = () => null, nodeOptions = [] }: StartOptions = {},
): Promise<Started> {
  const child = spawn(process.execPath, [...nodeOptions, await builtScript()], {
    cwd: container.project,
    env: container.variables,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const messages: FromScript[] = [];
  const waiting: (() => void)[] = [];
  let stray = "";
  let printed = "";
  const send = (message: ToScript): void => void child.stdin.write(encodeLine(message));
  const reader = createLineReader({
    line(message) {
      messages.push(message);
      const answer = message.type === "background" ? answers(message.operands) : null;
      if (message.type === "background" && answer !== null) send({ type: "answered", id: message.id, answer });
      for (const look of waiting) look();
    },
    stray: (text) => void (stray += text),
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    reader.take(text);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => void (stray += text));
  // Input to an ended process is lost.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<{ exitCode: number | null; stray: string; printed: string }>((resolve) => {
    child.on("close", (exitCode) => resolve({ exitCode, stray, printed }));
  });
  return {
    child,
    send,
    messages,
    ended,
    said: (type, like = () => true) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type was just checked.
          if (messages.some((message) => message.type === type && like(message as Parameters<typeof like>[0]))) resolve();
        };
        waiting.push(look);
        look();
        void ended.then(({ stray: said }) => reject(new Error(`the process ended without ${type}: ${said}`)));
      }),
  };
}

/** Runs a command in a separate process. */
export async function runScript(container: TestContainer, command: string, more: Partial<Run> = {}): Promise<Outcome> {
  const started = await startScript(container);
  started.send(runMessage(command, container, more));
  const { exitCode, stray } = await started.ended;
  const done = started.messages.findLast((message) => message.type === "done");
  if (done?.type !== "done") throw new Error(`the process ended with ${exitCode} and without an answer: ${stray}`);
  return { done, messages: started.messages, stray, exitCode };
}

/** The live output of one stream. */
export function shown(messages: readonly FromScript[], stream: LiveOutput["stream"]): string {
  return messages.map((message) => (message.type === "output" && message.output.stream === stream ? message.output.text : "")).join("");
}
