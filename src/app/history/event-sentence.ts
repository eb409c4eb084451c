import type { DialogEvent } from "../../dialog/events/model.ts";
import type { CommitEvent } from "../../protocol/index.ts";
import { subject } from "../calls/describe.ts";
import { visible } from "../calls/visible.ts";
import { slugOf } from "../docs/names.ts";
import { duration } from "../ui/format.ts";
import * as t from "../texts/event-sentences.ts";

/** The maximum length of foreign text in a sentence, in UTF-16 units. */
const longest = 160;

/** The first line of a foreign text that isn't blank, shortened, with nothing hidden in it. */
export function oneLine(text: string): string {
  const start = text.search(/\S/);
  if (start < 0) return "";
  const [line = ""] = text.slice(start, start + longest + 1).split(/[\r\n]/, 1);
  const cut = (line.length > longest ? line.slice(0, longest) : line).trimEnd().replace(/[\uD800-\uDBFF]$/, "");
  return visible(text.slice(start + cut.length).trim() === "" ? cut : `${cut} …`);
}

const nameOf = (dialogId: string) => oneLine(slugOf(dialogId));

/** What happened, for people: "asked to run `npm test`". The sentence follows the actor's name. */
export function eventSentence(event: DialogEvent | CommitEvent): t.Sentence {
  switch (event.type) {
    case "activation": {
      const { title, provider, model, by } = event.data;
      return by === null ? t.started(ownTitle(title, event.dialogId), oneLine(model ?? provider ?? "")) : t.startedBy(nameOf(by));
    }
    case "message":
    case "text":
      return t.said(oneLine(event.data.text));
    case "request":
      return t.requested(oneLine(event.data.model ?? event.data.provider ?? ""));
    case "tool_call":
      return t.asked(oneLine(event.data.tool), visible(subject(event.data)));
    case "approval": {
      const { tool, decision, from } = event.data;
      const say = from === "human" ? { approved: t.approved, denied: t.denied } : { approved: t.allowed, denied: t.rejected };
      return say[decision](oneLine(tool));
    }
    case "tool_result": {
      const { tool, ok, code, ms, error } = event.data;
      return t.result(oneLine(tool), ok, code, ms === null ? null : duration(ms), oneLine(error ?? ""));
    }
    case "file_change":
      return { write: t.wrote, edit: t.edited, delete: t.deleted }[event.data.op](oneLine(event.data.path));
    case "signal":
      return event.data.to === "user" ? t.toldUser(oneLine(event.data.text)) : t.signalled(oneLine(event.data.text));
    case "definition":
      return t.defined(oneLine(event.data.agent), event.data.hash.slice(0, 8));
    case "reply":
      return t.answered(nameOf(event.data.child));
    case "resolved":
      return t.resolved(nameOf(event.data.from), oneLine(event.data.summary));
    case "pause":
      return t.paused(event.data.scope);
    case "resume":
      return t.resumed(event.data.scope);
    case "spawn":
      return t.launched(nameOf(event.data.child));
    case "waiting":
      return t.question(oneLine(event.data.prompt));
    case "authority":
      return t.authority(oneLine(event.data.word), oneLine(event.data.value));
    case "window":
      return t.continued(nameOf(event.data.from));
    case "forked":
      return t.forked(nameOf(event.data.from));
    case "usage":
      return t.used(event.data.tokens, oneLine(event.data.cost ?? ""));
    case "dialog_replaced":
      return [t.replaced];
    case "abort":
      return t.stopped(oneLine(event.data.message));
    case "error":
      return t.failed(oneLine(event.data.message));
    case "warning":
      return t.warned(oneLine(event.data.message));
    case "complete":
      return t.finished(event.data.tokens);
    case "commit":
      return t.changed(event.data.files, oneLine(event.data.summary));
  }
}

/** The title, if it says more than the dialog's name, which is shown anyway. */
const ownTitle = (title: string, dialogId: string) => (title === slugOf(dialogId) ? "" : oneLine(title));

/** A sentence without formatting, for screen readers and tooltips. */
export const plainSentence = (sentence: t.Sentence): string =>
  sentence
    .map((part) =>
      typeof part === "string" ? part : "code" in part ? part.code : "em" in part ? part.em : "strong" in part ? part.strong : "",
    )
    .join("");
