import type { NodeEngine, SandboxAnswer, SandboxName, ServerView } from "../protocol/index.ts";
import { limits } from "../protocol/limits.ts";
import { isPlainWord, isProgram } from "../dialog/pattern.ts";
import type {
  BackgroundOptions,
  EmbeddedSandbox,
  ListeningServer,
  RunOptions,
  RunOutcome,
  Sandbox,
  SandboxPorts,
  StoreLate,
} from "./sandbox.ts";
import type { Unavailable } from "./webcontainer/keeper.ts";
import type { WebContainerSandbox } from "./webcontainer/webcontainer.ts";

/** Where the project's choice is kept: of this device, not of the project. */
export interface SandboxChoice {
  read(): Promise<SandboxName>;
  write(name: SandboxName): Promise<void>;
}

export interface NodeEngineChoice {
  current(): NodeEngine;
  choose(engine: NodeEngine): Promise<void>;
}

/** What commands run in, as the user has it. */
export interface SandboxSelector {
  view(): Omit<SandboxAnswer, "about">;
  /** It is stored when this settles. What runs in the WebContainer ends when that is no more chosen, the command in the foreground by itself. */
  choose(name: SandboxName): Promise<void>;
  /** It is stored when this settles, and holds from the next program of `node` on. */
  chooseNode(engine: NodeEngine): Promise<void>;
  /** Asks a server of a dialog in Vibey's own shell. */
  readonly askServer: SandboxPorts["fetch"];
  /** The WebContainer is started now, if it is chosen. */
  start(): void;
  /** Calls `listener` whenever `view` answers something else. */
  listen(listener: () => void): void;
}

export interface SandboxSelectorParts {
  readonly embedded: EmbeddedSandbox;
  /** By what runs programs of `node`. */
  readonly aboutEmbedded: Readonly<Record<NodeEngine, string>>;
  readonly choice: SandboxChoice;
  /** What runs programs of `node` in the embedded one. */
  readonly node: NodeEngineChoice;
  /** Loaded when it is first chosen. `changed`: what it answers has. */
  readonly loadWebContainer: (changed: () => void) => Promise<{ readonly sandbox: WebContainerSandbox; readonly about: string }>;
}

type Loaded = Awaited<ReturnType<SandboxSelectorParts["loadWebContainer"]>>;

/**
 * The sandbox that the user chose, with the way back: where the WebContainer can't be had, a command runs in Vibey's own shell, and its
 * output says so the first time in each dialog, as it says when that is over.
 */
export async function openSandboxSelector({ embedded, aboutEmbedded, choice, node, loadWebContainer }: SandboxSelectorParts): Promise<{
  readonly sandbox: Sandbox;
  readonly about: () => Promise<string>;
  readonly selector: SandboxSelector;
}> {
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  let chosen = await choice.read();
  let loading: Promise<Loaded> | null = null;
  let loaded: Loaded | null = null;
  let late: StoreLate | null = null;
  /** The dialogs whose last command had to run in Vibey's own shell. */
  const fallen = new Set<string>();

  function load(): Promise<Loaded> {
    loading ??= loadWebContainer(changed).then(
      (made) => {
        loaded = made;
        made.sandbox.choose(chosen === "webcontainer");
        if (late !== null) made.sandbox.storeLateBy(late);
        return made;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  }

  async function tryWebContainer(
    act: (container: WebContainerSandbox) => Promise<RunOutcome | Unavailable>,
  ): Promise<RunOutcome | Unavailable> {
    let container: WebContainerSandbox;
    try {
      container = (await load()).sandbox;
    } catch (error) {
      // Offline, at the first time.
      return { unavailable: `its part of Vibey could not be loaded: ${String(error)}` };
    }
    return act(container);
  }

  /** What continued while it was waited for is over. */
  const endProgress = ({ onOutput }: Pick<RunOptions, "onOutput">): void => onOutput?.({ stream: "progress", text: "" });

  /** The line that a command's output begins with when it runs elsewhere than the one before it. */
  function lineFor(session: string, why: string | null): string {
    if (why === null) return fallen.delete(session) ? "vibey: this ran in the WebContainer again, in its own folder\n" : "";
    if (fallen.has(session)) return "";
    fallen.add(session);
    return `vibey: WebContainer isn't available: ${why.replace(/\.$/, "")}. This ran in the built-in shell instead, which has different programs and the project at /project\n`;
  }

  async function run(command: string, options: RunOptions): Promise<RunOutcome> {
    if (chosen === "embedded") return embedded.run(command, options);
    const first = (outcome: RunOutcome, why: string | null): RunOutcome => ({
      ...outcome,
      stderr: lineFor(options.session, why) + outcome.stderr,
    });
    const { commit } = options;
    const committing = (why: string | null): RunOptions => {
      if (!commit) return options;
      return { ...options, commit: (outcome) => commit(first(outcome, why)) };
    };
    const done = await tryWebContainer((container) => container.run(command, committing(null)));
    if (!("unavailable" in done)) return commit ? done : first(done, null);
    endProgress(options);
    const outcome = await embedded.run(command, committing(done.unavailable));
    return commit ? outcome : first(outcome, done.unavailable);
  }

  async function runInBackground(command: string, options: BackgroundOptions): Promise<RunOutcome> {
    if (chosen === "embedded") return embedded.runInBackground(command, options);
    const done = await tryWebContainer((container) => container.runInBackground(command, options));
    if (!("unavailable" in done)) return done;
    endProgress(options);
    const line = `${lineFor(options.session, done.unavailable)}vibey: here it may run for ${limits.backgroundMs / 60_000} minutes\n`;
    options.onOutput?.({ stream: "stderr", text: line });
    const outcome = await embedded.runInBackground(command, { ...options, timeoutMs: Math.min(options.timeoutMs, limits.backgroundMs) });
    // The log has it already, as the beginning of all that was printed.
    return { ...outcome, stderr: line + outcome.stderr };
  }

  /** The WebContainer's shell has another parser, so there only plain words count, which mean the same in each. */
  async function simpleCommands(command: string): Promise<readonly (readonly string[])[] | null> {
    if (chosen === "embedded") return (await embedded.simpleCommands?.(command)) ?? null;
    const words = command.split(" ");
    return words.every(isPlainWord) && isProgram(words[0] ?? "") ? [words] : null;
  }

  embedded.ports?.listen(changed);

  const runsInWebContainer = (): boolean => chosen === "webcontainer" && loaded?.sandbox.view().state !== "unavailable";

  return {
    sandbox: {
      run,
      runInBackground,
      simpleCommands,
      backgroundLimitMs: () => (runsInWebContainer() ? limits.serverMs : limits.backgroundMs),
      storeLateBy(store) {
        late = store;
        loaded?.sandbox.storeLateBy(store);
      },
      dispose() {
        embedded.dispose();
        loaded?.sandbox.dispose();
      },
    },
    async about() {
      if (!runsInWebContainer()) return aboutEmbedded[node.current()];
      try {
        return (await load()).about;
      } catch {
        // Then commands run there, too.
        return aboutEmbedded[node.current()];
      }
    },
    selector: {
      view() {
        // What was started before the choice ends with the command that still runs.
        const servers = [...(loaded?.sandbox.servers() ?? []), ...(embedded.ports?.servers() ?? []).map(serverView)];
        if (chosen === "embedded") return { chosen, node: node.current(), computer: { state: "off" }, servers };
        return { chosen, node: node.current(), computer: loaded?.sandbox.view() ?? { state: "resting" }, servers };
      },
      async choose(name) {
        await choice.write(name);
        chosen = name;
        fallen.clear();
        loaded?.sandbox.choose(name === "webcontainer");
        changed();
      },
      async chooseNode(engine) {
        await node.choose(engine);
        changed();
      },
      askServer: (session, request, signal) => embedded.ports?.fetch(session, request, signal) ?? Promise.resolve(null),
      start() {
        if (chosen !== "webcontainer") return;
        // A command that needs it hears of the failure.
        load().then(
          ({ sandbox }) => sandbox.start(),
          () => changed(),
        );
      },
      listen: (listener) => void listeners.add(listener),
    },
  };
}

/** UTF-16 units of a server's command. */
const shownCommand = 300;

function serverView({ session, port, owner, since }: ListeningServer): ServerView {
  const { command } = owner;
  // The dialog has it whole.
  const short = command.length > shownCommand ? `${command.slice(0, shownCommand)}…` : command;
  return { port, url: null, owner: { dialogId: session, ...owner, command: short }, since };
}
