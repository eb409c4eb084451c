import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Case } from "./cases.ts";
import { packagesOf, registryAddress, standIn } from "./stand-in.ts";

/** The effects of a command line. */
export interface Step {
  readonly line: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly pkg: string | null;
  readonly lock: string | null;
  /** `a > b@1.0.0`: b inside a. */
  readonly tree: readonly string[];
}

/** Runs a case with this machine's npm and with the registry behind a local server. */
export async function runReal({ registry, tags, pkg, run }: Case): Promise<Step[]> {
  const packages = standIn(tags);
  packages.add(...packagesOf(registry));
  const server = createServer((request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
    const answer = packages.answer({ url: registryAddress + (request.url ?? "/").slice(1), headers });
    response.statusCode = answer.kind === "answer" ? answer.status : 500;
    response.end(answer.kind === "answer" ? answer.body : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the address of a server that listens on a port.
  const { port } = server.address() as AddressInfo;
  const root = mkdtempSync(join(tmpdir(), "vibey-npm-"));
  const project = join(root, "project");
  mkdirSync(project);
  if (pkg) writeFileSync(join(project, "package.json"), `${JSON.stringify(pkg, null, 2)}\n`);
  writeFileSync(
    join(root, ".npmrc"),
    `registry=http://127.0.0.1:${port}/\naudit=false\nfund=false\nupdate-notifier=false\nprogress=false\ncache=${root}/cache\nlogs-max=0\n`,
  );
  const steps: Step[] = [];
  for (const line of run) {
    const done = await shell(line, project, {
      PATH: process.env["PATH"] ?? "",
      HOME: root,
      npm_config_userconfig: join(root, ".npmrc"),
      LANG: "C.UTF-8",
    });
    const read = (name: string): string | null => {
      try {
        return readFileSync(join(project, name), "utf8");
      } catch {
        return null;
      }
    };
    const clean = (text: string): string =>
      text
        .replaceAll(project, "/project")
        .replaceAll(`http://127.0.0.1:${port}/`, registryAddress)
        .replaceAll(/^npm error A complete log.*\n/gm, "");
    steps.push({
      line,
      ...done,
      stdout: clean(done.stdout),
      stderr: clean(done.stderr),
      pkg: read("package.json"),
      lock: read("package-lock.json"),
      tree: treeOf(project),
    });
  }
  server.close();
  rmSync(root, { recursive: true, force: true });
  return steps;
}

function shell(line: string, cwd: string, env: Record<string, string>): Promise<{ stdout: string; stderr: string; exitCode: number }> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data: Buffer) => void (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => void (stderr += data.toString()));
    child.on("close", (code) => resolve({ stdout, stderr, exitCode: code ?? -1 }));
  });
}

function treeOf(project: string): string[] {
  const found: string[] = [];
  const names = (folder: string): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  const look = (folder: string, above: string): void => {
    for (const name of names(folder)) {
      if (name.startsWith(".")) continue;
      for (const each of name.startsWith("@") ? names(join(folder, name)).map((inner) => `${name}/${inner}`) : [name]) {
        const value: unknown = JSON.parse(readFileSync(join(folder, each, "package.json"), "utf8"));
        found.push(`${above}${each}@${typeof value === "object" && value !== null && "version" in value ? String(value.version) : ""}`);
        look(join(folder, each, "node_modules"), `${above}${each} > `);
      }
    }
  };
  look(join(project, "node_modules"), "");
  return found.toSorted();
}
