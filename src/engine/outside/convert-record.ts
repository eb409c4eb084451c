import { addText, newDialog, openSection, timeValue } from "../../dialog/edit.ts";
import { stringifyJson } from "../../dialog/json.ts";
import type { Call, Dialog, Part, Section } from "../../dialog/model.ts";
import { callWords } from "../../dialog/outside.ts";
import { fromLine } from "../../dialog/replies.ts";
import { asFormat2 } from "../../dialog/sections.ts";
import { draft } from "../turn/machine/draft.ts";
import { sectionTime } from "../../dialog/edit.ts";

/**
 * Converts a record to a dialog that Vibey can continue. Calls of foreign tools become text, so that none of them runs or asks for approval. What
 * someone wrote to the agent elsewhere becomes context, not a message of the user here.
 */
export function toDialog({ sections }: Dialog, dialogId: string): Dialog {
  const { dialog } = newDialog([]);
  const file = draft(asFormat2(dialog));
  for (const section of sections) {
    const { start, end } = sectionTime(section);
    const [began, ended] = [start ?? "", end ?? start ?? ""];
    const head =
      section.role === "user"
        ? [{ key: "Time", value: began }, fromLine({ kind: "context", dialogId })]
        : [{ key: "Time", value: timeValue(began, ended) }];
    file.edit((now) => openSection(now, section.role, head, { open: false }));
    for (const text of textsOf(section)) file.edit((now) => addText(now, text));
  }
  return file.dialog;
}

function textsOf(section: Section): string[] {
  const words = callWords(section);
  return section.parts.flatMap((part: Part) => {
    if (part.kind === "text") return [part.text];
    return part.kind === "call" ? [callText(part.call, words.get(part.call.id)?.context)] : [];
  });
}

/** The part of a call that helps to continue. */
function callText(call: Call, context: string | undefined): string {
  const about = context === undefined ? "" : ` (${context})`;
  const said = call.decision === "denied" ? "It was denied." : resultOf(call);
  return `The tool ${call.name} was used elsewhere${about}:\n\n    ${shorten(stringifyJson(call.input))}\n\n${said}`;
}

const resultOf = ({ result }: Call): string =>
  result === undefined ? "No result was reported." : `It answered:\n\n    ${shorten(stringifyJson(result))}`;

const most = 4_000;
const shorten = (text: string): string => (text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`);
