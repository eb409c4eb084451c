import { createMemo, For } from "solid-js";
import * as t from "../texts/characters.ts";
import { maxElements, type Segment, segments, visible } from "./visible.ts";

/** A text of a few lines, shown as `Visible` does, whole and at once. */
export function ShortVisible(props: { text: string }) {
  const found = createMemo(() => shownSegments(props.text));
  return (
    <bdi dir="ltr">
      <Segments of={found()} />
    </bdi>
  );
}

export function Segments(props: { of: readonly Segment[] }) {
  return <For each={props.of}>{(segment) => nodeOf(segment)}</For>;
}

export const nodesOf = (text: string) => shownSegments(text).map(nodeOf);

/** A right-to-left run gets its own direction. The runs themselves are placed from left to right, in the order of the text. */
function nodeOf(segment: Segment): Node | string {
  if (segment.kind === "text") return segment.text;
  const element = document.createElement(segment.kind === "rtl" ? "bdi" : "span");
  element.textContent = segment.text;
  if (segment.kind === "rtl") element.dir = "auto";
  else {
    element.className = "codepoint";
    element.title = t.hiddenCharacter;
  }
  return element;
}

function shownSegments(text: string): readonly Segment[] {
  const found = segments(text);
  return found.length > maxElements ? [{ kind: "text", text: visible(text), source: text }] : found;
}
