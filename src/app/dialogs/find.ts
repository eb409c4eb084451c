import type { CallView, MessageView } from "../../protocol/index.ts";
import { fields, output, payload, subject, change } from "../calls/describe.ts";

/** Whether a text contains the words, ignoring case. Empty words are never found. */
export const has = (text: string, words: string) => words !== "" && text.toLowerCase().includes(words.toLowerCase());

/** Whether a call contains the words, in its request or its result. */
export function callHas(call: CallView, words: string): boolean {
  const changed = change(call);
  const texts = [
    subject(call),
    ...fields(call).map(({ value }) => value),
    payload(call)?.content ?? "",
    changed?.before ?? "",
    changed?.after ?? "",
    ...output(call.result).map(({ value }) => value),
  ];
  return texts.some((text) => has(text, words));
}

/** The indexes of messages that contain the words in a text or a call. */
export function messagesWith(messages: readonly MessageView[], words: string): number[] {
  return messages.flatMap((message, index) => {
    const found = message.parts.some((part) =>
      part.kind === "text" ? has(part.text, words) : part.kind === "call" ? callHas(part.call, words) : false,
    );
    return found ? [index] : [];
  });
}

/** The places of the words in a message, as ranges of its text. A place that spans two nodes is not found. */
export function rangesOf(element: Element, words: string, most: number): Range[] {
  const wanted = words.toLowerCase();
  const found: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(".who, .usage, button") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = texts.nextNode(); node !== null && found.length < most; node = texts.nextNode()) {
    const text = (node.nodeValue ?? "").toLowerCase();
    for (let at = text.indexOf(wanted); at >= 0 && found.length < most; at = text.indexOf(wanted, at + wanted.length)) {
      // If lowercasing changes the length, the offsets would be wrong.
      if (text.length !== node.nodeValue?.length) break;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      found.push(range);
    }
  }
  return found;
}
