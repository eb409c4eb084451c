import type { AgentState } from "../../protocol/index.ts";
import { counted } from "./counted.ts";

export const graph = "Graph";
export const views = { graph: "Graph", tree: "Tree", editor: "Editor" } as const;
export const widthOf = { explorer: "Width of the files", inspector: "Width of the inspector" } as const;
export const nothingToEdit = "Select a file, or an agent that a file defines.";
export const editorIsNow = "The editor shows files as they are now. Go to the present to edit.";
export const run = "Run";
/** An entry in a list of runs. */
export const runOf = (slug: string, count: number) => `${slug}, ${counted(count, "agent")}`;
export const noRuns = "No runs yet";
export const noRunsHint = "A run is a dialog and all the agents it launches. Start one to see its agents, cost, and queue here.";
export const startRun = "Start a run";
export const loading = "Loading…";
export const notLoaded = (why: string) => `Couldn't read the run: ${why}`;
export const view = "View";

/** A state has a shape, a word and a color. */
export const states: Readonly<Record<AgentState, string>> = {
  running: "running",
  asks: "asks you",
  queued: "queued",
  paused: "paused",
  completed: "completed",
  aborted: "aborted",
  error: "error",
  idle: "idle",
};

/** "3 agents running, 2 in queue, 147K tokens used". */
export const summary = (running: number, queued: number, tokens: string) =>
  `${counted(running, "agent")} running, ${queued} in queue, ${tokens} tokens used`;
export const asking = (count: number) => (count === 1 ? "1 asks you" : `${count} ask you`);

export const nodeFacts = (tokens: string, depth: number) => `${tokens} · depth ${depth}`;
export const folded = (count: number) => `+${count} completed`;
/** Read out for a node. */
export const nodeLabel = (name: string, state: string, tokens: string, depth: number) =>
  `${name}, ${state}, ${tokens} tokens, depth ${depth}`;
export const fileLabel = (path: string, creator: string | null, versions: number) =>
  creator === null ? `${path}, read only` : `${path}, created by ${creator}, ${versionsOf(versions)}`;
export const by = (creator: string) => `by ${creator}`;
export const onlyRead = "read";
export const versionsOf = (versions: number) => counted(versions, "version");

export const treeLabel = (count: number) => `${counted(count, "agent")}, each under the one that launched it`;
export const tools = "Graph tools";
export const zoomIn = "Zoom in";
export const zoomOut = "Zoom out";
export const fit = "Fit";
export const files = "Files";
export const agentFiles = "Agent files";
export const touched = "Reads and writes";
export const collapse = "Collapse completed agents";
export const minimap = "Map of the graph: click to go there";

export const inspector = "Inspector";
export const close = "Close";
export const launchedBy = "Launched by";
export const answersMention = "Answers a mention in";
export const definition = "File";
export const tokens = "Tokens";
export const cost = "Cost";
export const since = "Since";
export const openDialog = "Open dialog";
export const unknown = "unknown";
export const depth = (depthNow: number) => `depth ${depthNow}`;
export const createdBy = "Created by";
export const createdAt = "Created";
export const updatedAt = "Updated";
export const versions = "Versions";
export const readOnly = "not in this run (agents only read it)";
export const openFile = "Open file";

export const dialog = "Dialog";
export const earlier = (messages: number) => `Show ${counted(messages, "earlier message")}`;
/** Read out before a message. */
export const asked = "Told: ";
export const said = "Said: ";
/** "[vfs_read] artifacts/spec.md (1247 chars)": the number of characters, without separators. */
export const chars = (call: string, count: number) => `${call} (${String(count)} chars)`;
export const callStates = { pending: "waiting", approved: "approved", denied: "denied", running: "running", finished: "" } as const;
export const pauseAgent = "Pause this agent";
export const resumeAgent = "Resume this agent";
export const notPaused = (why: string) => `Couldn't do that: ${why}`;
export const abort = "Abort this agent";
export const aborted = "Aborted.";
export const notAborted = (why: string) => `Couldn't abort this agent: ${why}`;
export const reactivate = "Re-activate with new input";
export const newInput = "New input";
export const send = "Send";
export const notSent = (why: string) => `Couldn't send the input: ${why}`;
export const runsFreely = "Without asking";
export const asksAlways = "nothing; every use needs approval";

export const author = (who: string, activation: string | null) => (activation === null ? who : `${who}, activation ${activation}`);
export const noVersions = "The history has no version of this file from this run.";
export const versionsNotRead = (why: string) => `Couldn't read the versions: ${why}`;
export const wholeChange = "Whole change";
export const version = (nth: number) => `Version ${nth}`;
export const moreVersions = "Earlier versions are in the history";

export const fileThen = "As it was";
export const noFileThen = "There was no such file at that moment.";
export const fileThenUnknown = "An agent was changing this file at that moment. Its text is known from the end of that turn on.";
export const fileThenNotRead = (why: string) => `Couldn't read the file as it was: ${why}`;
export const fileThenCut = "Only the beginning shows.";
export const filesThenNotRead = (why: string) => `Couldn't read the files as they were: ${why}`;
export const scrubber = "Moment of the run";
export const moment = (at: number, of: number) => `Event ${at} of ${of}`;
export const live = "Live";
export const isPast = "You're viewing an earlier moment.";
export const pastHint =
  "Agents, dialogs, files, and the log are shown as they were at this moment. Changes made by commands appear at the end of the turn.";
export const toPresent = "Back to the present";
export const earlierEvent = "Previous event";
export const laterEvent = "Next event";
export const play = "Play";
export const pause = "Pause";
export const speed = "Speed";
export const times = (speedNow: number) => `${speedNow}×`;
export const replaying = (speedNow: number) => `Replaying at ${times(speedNow)}`;
export const replayPaused = (at: number, of: number) => `Replay paused. ${moment(at, of)}`;
export const replayEnded = "Replay ended. You're back in the present.";
export const log = "Log";
