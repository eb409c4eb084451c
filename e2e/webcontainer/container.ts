import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openFiles } from "./files.ts";
import { makePrograms, npmSettings } from "./machine.ts";
import type { BuildOptions, Callee, Coep, EventName, Events, PreviewScriptOptions, RuntimeInfo, Told } from "./messages.ts";
import { hearPorts } from "./ports.ts";
import { openProcesses } from "./processes.ts";
import { remove } from "./tree.ts";

/** A container: a temporary folder on this machine, with real processes. */
export interface Container {
  readonly id: string;
  readonly info: RuntimeInfo;
  readonly calls: Omit<Callee, "build" | "teardown">;
  /** The headers and scripts of previews. */
  readonly previews: {
    readonly coep: Coep;
    readonly forwardErrors: BuildOptions["forwardPreviewErrors"];
    script: { readonly source: string; readonly options: PreviewScriptOptions } | null;
  };
  urlOf(port: number): string;
  /** The machine's port behind a port on which a process listens; null if none does. */
  machinePort(port: number): number | null;
  emit<Name extends EventName>(name: Name, ...args: Events[Name]): void;
  /** The number of answered exports of its files. */
  readonly exports: number;
  /** The living processes. */
  pids(): number[];
  /** Kills all processes without telling the page, and answers no more requests. */
  crash(): Promise<void>;
  readonly isCrashed: boolean;
  /** Kills all processes and removes the folder. */
  end(): Promise<void>;
}

const flavours: Readonly<Record<Coep, string>> = {
  "require-corp": "local-corp",
  credentialless: "local-credentialless",
  none: "local",
};

const random = (length: number) => randomBytes(length).toString("hex").slice(0, length);

export async function buildContainer(options: BuildOptions, tellPage: (told: Told) => void): Promise<Container> {
  // As long as real ids: a label in a host name has at most 63 characters.
  const id = `${random(30)}-${random(4)}`;
  const root = await realpath(await mkdtemp(join(tmpdir(), "webcontainer-")));
  const [home, bin, temporary] = [join(root, "home"), join(root, "bin"), join(root, "tmp")];
  const workdir = join(home, options.workdirName ?? random(8));
  await mkdir(workdir, { recursive: true });
  await mkdir(temporary);
  await makePrograms(bin);

  let isCrashed = false;
  const tell = (told: Told) => {
    if (!isCrashed) tellPage(told);
  };
  const emit: Container["emit"] = (name, ...args) => tell({ kind: "event", name, args });
  const urlOf = (port: number) => `https://${id}--${port}--${id.slice(0, 8)}.${flavours[options.coep]}.webcontainer-api.io`;
  const portsFolder = join(root, "ports");
  const ports = await hearPorts(portsFolder, (port, type) => {
    emit("port", port, type, urlOf(port));
    if (type === "open") emit("server-ready", port, urlOf(port));
  });
  const files = openFiles(workdir, tell);
  let exports = 0;
  const env = {
    PATH: bin,
    HOME: home,
    SHELL: join(bin, "jsh"),
    TMPDIR: temporary,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    ...npmSettings(join(temporary, "npm-logs")),
    npm_config_script_shell: join(bin, "jsh"),
    NODE_OPTIONS: `--require "${fileURLToPath(new URL("inside/ports.cjs", import.meta.url))}"`,
    WEBCONTAINER_PORTS: portsFolder,
  };
  const processes = openProcesses({ id, workdir, env }, tell);
  const previews: Container["previews"] = { coep: options.coep, forwardErrors: options.forwardPreviewErrors, script: null };
  return {
    id,
    info: { path: bin, cwd: workdir },
    previews,
    calls: {
      ...files.calls,
      ...processes.calls,
      async serialize(path, how) {
        const packed = await files.calls.serialize(path, how);
        exports += 1;
        return packed;
      },
      async setPreviewScript(source, given) {
        previews.script = { source, options: given };
        return null;
      },
    },
    urlOf,
    machinePort: (port) => ports.machinePort(port),
    emit,
    get exports() {
      return exports;
    },
    pids: () => processes.pids(),
    get isCrashed() {
      return isCrashed;
    },
    async crash() {
      isCrashed = true;
      await processes.end();
    },
    async end() {
      files.close();
      await processes.end();
      ports.close();
      await remove(root);
    },
  };
}
