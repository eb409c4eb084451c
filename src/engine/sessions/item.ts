import { isOwnFormat } from "../../dialog/agent.ts";
import { dialogCalls, sectionTime } from "../../dialog/edit.ts";
import type { Dialog } from "../../dialog/model.ts";
import { outsideOf } from "../../dialog/outside.ts";
import { lastSection, sectionAt, sectionCount } from "../../dialog/sections.ts";
import type { DialogListing, SessionItem } from "../../protocol/index.ts";
import { costSoFar } from "../cost/lines.ts";
import { mailOf } from "../outside/mail.ts";
import { lastRead } from "../turn/machine/last-read.ts";
import { parseUsage } from "../turn/machine/usage.ts";
import type { StatusDetail } from "./status.ts";

const titleLength = 50;
/** Where Vibey's own agents work: the project's folder. */
const projectFolder = "/";

/** What a session is called in a list. `dialog` null: the file can't be read, or is too long for a list. */
export function sessionItem(
  listing: Pick<DialogListing, "dialogId" | "mtime" | "status">,
  dialog: Dialog | null,
  { status }: StatusDetail,
): SessionItem {
  const { dialogId, mtime } = listing;
  const usage = dialog && lastRead(dialog, "Usage cumulative", parseUsage);
  const cost = dialog && costSoFar(dialog);
  const head = (name: string) => dialog?.head.find(({ key }) => key === name)?.value ?? null;
  const started = head("Started");
  const changed = new Date(mtime).toISOString();
  return {
    session_id: dialogId,
    id: dialogId,
    title: dialog ? titleOf(dialog) : "",
    start_time: started,
    started_at: started,
    last_activity: changed,
    end_time: listing.status === "done" ? ((dialog && endOf(dialog)) ?? changed) : null,
    status,
    message_count: dialog ? sectionCount(dialog) : 0,
    environment: { working_directory: head("Cwd") ?? projectFolder },
    stats: {
      input_tokens: usage?.input ?? 0,
      output_tokens: usage?.output ?? 0,
      tool_calls: dialog ? dialogCalls(dialog).length : 0,
      ...(cost === null ? {} : { cost: cost / 1e9 }),
    },
    controllable: dialog !== null && takesWords(dialog, listing.status),
    source: head("Outside") ?? "vibey",
  };
}

/** What the user says reaches its agent. */
function takesWords(dialog: Dialog, status: DialogListing["status"]): boolean {
  return isOwnFormat(dialog.format) || (outsideOf(dialog) !== null && status !== "done" && mailOf(dialog, dialog).reachable);
}

/** What an agent outside reports first comes before what its user said. */
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
