import type { Files } from "../fs/files.ts";
import { nameOf, vibeyPath } from "../fs/vibeyName.ts";
import { createDialogs } from "./dialogs/dialogs.ts";
import { revisionsOf } from "./dialogs/live.ts";
import { dialogStore } from "./dialogs/store.ts";
import { type EventBus, eventBus } from "./events.ts";
import { parseDialogFilename } from "./format/name.ts";
import { memoryKeys } from "./keys.ts";
import { limits } from "./limits.ts";
import { agentPath } from "./permissions.ts";
import { type ProviderKind, providerDesk } from "./providers/desk.ts";
import { createRouter } from "./router.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import type { SettingsStore } from "./settings.ts";
import { editFile } from "./tools/edit-file.ts";
import { decodeText } from "./tools/target.ts";
import { writeFile } from "./tools/write-file.ts";

/** What an engine is made of. */
export interface EngineParts {
  readonly files: Files;
  readonly settings: SettingsStore;
  readonly providers: readonly ProviderKind[];
  readonly sandbox: Sandbox;
  readonly sandboxAbout: string;
  readonly now: () => Date;
  readonly later: (then: () => void, ms: number) => void;
  /** The files of a project that has none yet. */
  readonly welcome: readonly { readonly name: string; readonly content: string }[];
  readonly report: (error: unknown) => void;
}

export interface Engine {
  /** Everything that a screen can ask; see `api.ts`. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly bus: EventBus;
}

/** Starts the engine of one project: becomes its one writer, finds what an earlier engine left undone, and answers from then on. */
export async function startEngine(parts: EngineParts): Promise<Engine> {
  const { files, report } = parts;
  const epoch = await files.lead();
  const bus = eventBus(report);
  const store = dialogStore({ files, epoch, flushMs: limits.flushMs, later: parts.later });
  const providers = await providerDesk(parts.providers, parts.settings, memoryKeys());
  const dialogs = createDialogs(
    {
      files,
      store,
      bus,
      revisions: revisionsOf(epoch),
      now: parts.now,
      provider: (name) => providers.provider(name),
      sandbox: parts.sandbox,
      sandboxAbout: parts.sandboxAbout,
      fileTools: [writeFile, editFile],
      readForDiff: (path) => readForDiff(files, path),
      report,
    },
    providers.names,
  );
  if ((await files.list()).length === 0) {
    const welcome = parts.welcome.map(({ name, content }) => ({ op: "write", path: vibeyPath(name), data: content }) as const);
    const stored = await store.other(welcome, { durability: "relaxed", by: "vibey" });
    if (!stored.ok) throw new Error(`the first project could not be stored: ${stored.failure.kind}`);
  }
  await dialogs.recoverAll();
  watchFiles(files, bus);
  return { fetch: createRouter({ files, store, dialogs, providers, bus }, report), bus };
}

async function readForDiff(files: Files, given: unknown): Promise<string | null> {
  const target = typeof given === "string" ? agentPath(given) : null;
  const content = target?.ok ? await files.read(target.path) : null;
  return content ? decodeText(content.bytes) : null;
}

/** Tells of files. A dialog's own growth is told by the dialog. */
function watchFiles(files: Files, bus: EventBus): void {
  const tell = (path: string, change: "changed" | "removed", by: string) => {
    const name = path.startsWith("vibey/") ? path.slice("vibey/".length) : null;
    if (name === null) bus.emit({ type: "deed", path, change, by });
    else bus.emit({ type: "file", name, change, by });
  };
  files.watch((events) => {
    for (const event of events) {
      switch (event.kind) {
        case "changed": {
          const name = nameOf(event.path);
          if (name !== null && parseDialogFilename(name) && event.by === "engine") break;
          tell(event.path, "changed", event.by);
          break;
        }
        case "removed":
          tell(event.path, "removed", event.by);
          break;
        case "renamed":
          tell(event.from, "removed", event.by);
          tell(event.to, "changed", event.by);
          break;
      }
    }
  });
}
