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

/** Stores the project's choice of sandbox, on this device and not in the project. */
export interface SandboxChoice {
  read(): Promise<SandboxName>;
  write(name: SandboxName): Promise<void>;
}

export interface NodeEngineChoice {
  current(): NodeEngine;
  choose(engine: NodeEngine): Promise<void>;
}

/** The user's choice of where commands run. */
export interface SandboxSelector {
  view(): Omit<SandboxAnswer, "about">;
  /**
   * Settles when the choice is stored. Choosing the other sandbox ends what runs in the WebContainer, except the foreground command, which ends by
   * itself.
   */
  choose(name: SandboxName): Promise<void>;
  /** Settles when the choice is stored. It applies from the next `node` program on. */
  chooseNode(engine: NodeEngine): Promise<void>;
  /** Sends a request to a server that a dialog runs in the built-in shell. */
  readonly askServer: SandboxPorts["fetch"];
  /** Starts the WebContainer now if it is chosen. */
  start(): void;
  /** Calls `listener` whenever the answer of `view` changes. */
  listen(listener: () => void): void;
}

export interface SandboxSelectorParts {
  readonly embedded: EmbeddedSandbox;
  /** The description of the built-in shell for each `node` engine. */
  readonly aboutEmbedded: Readonly<Record<NodeEngine, string>>;
  readonly choice: SandboxChoice;
  /** Which engine runs `node` programs in the built-in shell. */
  readonly node: NodeEngineChoice;
  /** Loads the WebContainer when it is first chosen. Call `changed` when the answer of its `view` or `servers` changes. */
  readonly loadWebContainer: (changed: () => void) => Promise<{ readonly sandbox: WebContainerSandbox; readonly about: string }>;
}

type Loaded = Awaited<ReturnType<SandboxSelectorParts["loadWebContainer"]>>;

/**
 * Opens the sandbox that the user chose, with a fallback: if the WebContainer isn't available, commands run in the built-in shell. The output says so
 * the first time in each dialog, and again when the WebContainer is back.
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
  /** The dialogs whose last command fell back to the built-in shell. */
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
      // The app is offline and this part was never loaded.
      return { unavailable: `its part of Vibey could not be loaded: ${String(error)}` };
    }
    return act(container);
  }

  /** Clears the progress line of a wait that is over. */
  const endProgress = ({ onOutput }: Pick<RunOptions, "onOutput">): void => onOutput?.({ stream: "progress", text: "" });

  /** The line at the start of a command's output if the command runs in a different sandbox than the one before it. */
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
    // The log already begins with this line.
    return { ...outcome, stderr: line + outcome.stderr };
  }

  /** The WebContainer's shell has a different parser, so only plain words count there: they mean the same in both. */
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
        // Commands fall back to the built-in shell then, too.
        return aboutEmbedded[node.current()];
      }
    },
    selector: {
      view() {
        // Servers that were started before the choice end with the command that still runs.
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
        // The next command that needs it reports the failure.
        load().then(
          ({ sandbox }) => sandbox.start(),
          () => changed(),
        );
      },
      listen: (listener) => void listeners.add(listener),
    },
  };
}

/** In UTF-16 units: how much of a server's command is shown. */
const shownCommand = 300;

function serverView({ session, port, owner, since }: ListeningServer): ServerView {
  const { command } = owner;
  // The dialog holds the full command.
  const short = command.length > shownCommand ? `${command.slice(0, shownCommand)}…` : command;
  return { port, url: null, owner: { dialogId: session, ...owner, command: short }, since };
}
