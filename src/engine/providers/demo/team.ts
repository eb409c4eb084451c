import { agentOf } from "../../../dialog/agent.ts";
import type { Dialog, JsonObject } from "../../../dialog/model.ts";
import { fromOf } from "../../../dialog/replies.ts";
import { runOf } from "../../../dialog/run.ts";
import { callId, type CallHistory, readCallHistory } from "./call-history.ts";
import type { Step } from "./script.ts";
import { bothNotes, draftPage, finishedPage, notes, teamAgents, teamTasks } from "./team-files.ts";

/*
 * A run of five agents, played from their dialogs: an orchestrator, two researchers, a writer and a critic. A guardrail refuses one spawn,
 * both researchers write the same file, messages go up the tree, and a page is finished.
 */

/** What a scripted agent of the run knows from its dialog. */
interface Scene {
  readonly past: CallHistory;
  /** How many messages came from agents that it started. */
  readonly signals: number;
}

type Wanted = readonly [key: string, name: string, input: JsonObject];

const page = "artifacts/tides.html";
const noteFile = "memory/notes.md";
const greeting =
  "I'm a scripted demo: there's no model behind me, and nothing leaves this page. The story is fixed, but the agents, their requests and the files are real.";

/** The next answer of an agent of a run. Null: the dialog doesn't belong to a run. */
export function teamStep(dialog: Dialog, system: string): Step | null {
  if (runOf(dialog.head) === null) return null;
  const past = readCallHistory(dialog, system);
  const scene = { past, signals: dialog.sections.filter((section) => fromOf(section)?.kind === "signal").length };
  const denied = past.lastKeys.some((key) => past.outcome(key)?.kind === "denied");
  if (denied) return say("You said no, so I'll stop here. Start the demo again to see another way.");
  switch (agentOf(dialog)?.slug) {
    case "researcher-moon":
      return research(scene, "moon", "The Moon and the Sun: it's in the notes.");
    case "researcher-coast":
      return research(scene, "coast", "Bays and waves: it's in the notes.");
    case "writer":
      return write(scene);
    case "critic":
      return criticize(scene);
    default:
      return lead(scene);
  }
}

const say = (text: string): Step => ({ text, calls: [] });
const ask = (past: CallHistory, text: string, wanted: readonly Wanted[]): Step => ({
  text,
  calls: wanted.map(([key, name, input]) => ({ id: callId(key, past), name, input })),
});
const spawning = (key: string, who: keyof typeof teamAgents, filename: string): Wanted => [
  key,
  "spawn_agent",
  { filename, content: teamAgents[who], task: teamTasks[who] },
];
const isDone = (past: CallHistory, key: string): boolean => past.outcome(key)?.kind === "done";
const wasAsked = (past: CallHistory, key: string): boolean => past.outcome(key) !== null;

function lead({ past, signals }: Scene): Step {
  if (!wasAsked(past, "moon"))
    return ask(
      past,
      `${greeting}\n\nTwo researchers can work at the same time. I'll start both, and the first one a second time by mistake: that's refused, because it already has this task.`,
      [
        spawning("moon", "moon", "researcher-moon.md"),
        spawning("coast", "coast", "researcher-coast.md"),
        spawning("twice", "moon", "researcher-moon.md"),
      ],
    );
  if (signals === 0) return say("Both researchers are working. They'll tell me when they're done.");
  if (!wasAsked(past, "notes"))
    return ask(past, "A researcher has reported. I'll look at the notes.", [["notes", "vfs_read", { path: noteFile }]]);
  if (signals === 1) return say("One report is missing. I'll wait for it.");
  if (!wasAsked(past, "writer"))
    return ask(past, "Both have reported, so a writer can begin.", [spawning("writer", "writer", "writer.md")]);
  if (signals === 2) return say("The writer is working, and will have a critic read the page.");
  if (!wasAsked(past, "list"))
    return ask(past, "The writer is done. I'll see what's there.", [["list", "vfs_list", { prefix: "artifacts/" }]]);
  return say(
    `The page is finished: \`${page}\`. Open it in the preview. The graph shows who started whom, and the log says what was refused and why.`,
  );
}

/** The second researcher finds the first one's file and adds to it. */
function research({ past }: Scene, who: keyof typeof notes, report: string): Step {
  if (!wasAsked(past, "note"))
    return ask(past, "I know this one. I'll write it down in the notes.", [["note", "vfs_write", { path: noteFile, content: notes[who] }]]);
  if (!isDone(past, "note") && !wasAsked(past, "see"))
    return ask(past, "The other researcher has written there meanwhile, so nothing of mine was stored. I'll read it first.", [
      ["see", "vfs_read", { path: noteFile }],
    ]);
  if (!isDone(past, "note") && !wasAsked(past, "both"))
    return ask(past, "Now with both parts.", [["both", "vfs_write", { path: noteFile, content: bothNotes }]]);
  if (!wasAsked(past, "report")) return ask(past, "I'll report that.", [["report", "signal_parent", { message: report }]]);
  return say("My part is done.");
}

function write({ past, signals }: Scene): Step {
  if (!wasAsked(past, "read")) return ask(past, "First the notes.", [["read", "vfs_read", { path: noteFile }]]);
  if (!wasAsked(past, "draft")) return ask(past, "Now the page.", [["draft", "vfs_write", { path: page, content: draftPage }]]);
  if (!wasAsked(past, "critic")) return ask(past, "Someone else should read it.", [spawning("critic", "critic", "critic.md")]);
  if (signals === 0) return say("The critic is reading. I'll wait for what it finds.");
  if (!wasAsked(past, "fix"))
    return ask(past, "The table has no caption. The critic is right.", [["fix", "vfs_write", { path: page, content: finishedPage }]]);
  if (!wasAsked(past, "report"))
    return ask(past, "I'll report that it's finished.", [["report", "signal_parent", { message: `The page is finished: ${page}` }]]);
  return say("My part is done.");
}

function criticize({ past }: Scene): Step {
  if (!wasAsked(past, "read")) return ask(past, "I'll read the page.", [["read", "vfs_read", { path: page }]]);
  if (!wasAsked(past, "report"))
    return ask(past, "One thing to fix.", [["report", "signal_parent", { message: "The table needs a caption: meters of what?" }]]);
  return say("My part is done.");
}
