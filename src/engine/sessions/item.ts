import { isOwnFormat } from "../../dialog/agent.ts";
import { sectionTime } from "../../dialog/edit.ts";
import type { Dialog } from "../../dialog/model.ts";
import { outsideOf } from "../../dialog/outside.ts";
import { callCount, lastSection, sectionAt, sectionCount } from "../../dialog/sections.ts";
import type { DialogListing, SessionItem } from "../../protocol/index.ts";
import { costSoFar } from "../cost/lines.ts";
import { mailOf } from "../outside/mail.ts";
import { lastRead } from "../turn/machine/last-read.ts";
import { parseUsage } from "../turn/machine/usage.ts";
import type { StatusDetail } from "./status.ts";

const titleLength = 50;
/** The folder in which Vibey's own agents work: the project. */
const projectFolder = "/";

/** The facts about a session in a list that come from its dialog. */
export interface SessionFacts extends Pick<SessionItem, "title" | "start_time" | "message_count" | "environment" | "stats" | "source"> {
  readonly ended: string | null;
  /** Whether the user's messages reach the agent: always, until it has ended, or never. */
  readonly takesWords: "always" | "until it ends" | "never";
}

/** Facts that take long to find in a long dialog, if the caller knows them. */
export interface KnownFacts {
  readonly calls: number;
  /** The outside agent takes messages. */
  readonly takesMail: boolean;
}

export function sessionFacts(dialog: Dialog, known?: KnownFacts): SessionFacts {
  const outside = outsideOf(dialog);
  // An outside agent reports no usage.
  const usage = outside === null ? lastRead(dialog, "Usage cumulative", parseUsage) : null;
  const cost = outside === null ? costSoFar(dialog) : null;
  const head = (name: string) => dialog.head.find(({ key }) => key === name)?.value ?? null;
  const takesMail = () => outside !== null && (known?.takesMail ?? mailOf(dialog, dialog).reachable);
  return {
    title: titleOf(dialog),
    start_time: head("Started"),
    message_count: sectionCount(dialog),
    environment: { working_directory: head("Cwd") ?? projectFolder },
    stats: {
      input_tokens: usage?.input ?? 0,
      output_tokens: usage?.output ?? 0,
      tool_calls: known?.calls ?? callCount(dialog),
      ...(cost === null ? {} : { cost: cost / 1e9 }),
    },
    source: head("Outside") ?? "vibey",
    ended: endOf(dialog),
    takesWords: isOwnFormat(dialog.format) ? "always" : takesMail() ? "until it ends" : "never",
  };
}

/** The facts for a file that can't be read. */
const noFacts: SessionFacts = {
  title: "",
  start_time: null,
  message_count: 0,
  environment: { working_directory: projectFolder },
  stats: { input_tokens: 0, output_tokens: 0, tool_calls: 0 },
  source: "vibey",
  ended: null,
  takesWords: "never",
};

/** A session's entry in a list. `facts` is null if the file can't be read. */
export function sessionItem(
  { dialogId, mtime, status: written }: Pick<DialogListing, "dialogId" | "mtime" | "status">,
  facts: SessionFacts | null,
  { status }: StatusDetail,
): SessionItem {
  const { ended, takesWords, ...said } = facts ?? noFacts;
  const changed = new Date(mtime).toISOString();
  return {
    session_id: dialogId,
    id: dialogId,
    ...said,
    started_at: said.start_time,
    last_activity: changed,
    end_time: written === "done" ? (ended ?? changed) : null,
    status,
    controllable: takesWords === "always" || (takesWords === "until it ends" && written !== "done"),
  };
}

/** The start of the user's first message. In a record, the outside agent's first report comes before that message. */
function titleOf(dialog: Dialog): string {
  const at = sectionAt(dialog, 0)?.role === "user" ? 0 : 1;
  const section = sectionAt(dialog, at);
  const [first] = section?.role === "user" ? section.parts : [];
  return first?.kind === "text"
    ? Array.from(first.text.slice(0, 2 * titleLength))
        .slice(0, titleLength)
        .join("")
    : "";
}

function endOf(dialog: Dialog): string | null {
  const last = lastSection(dialog);
  const time = last && sectionTime(last);
  return time?.end ?? time?.start ?? null;
}
