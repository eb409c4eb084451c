import { createEffect, createMemo, For, on, onCleanup, Show } from "solid-js";
import * as t from "../texts/characters.ts";
import { fillInSteps } from "./fill-in-steps.ts";
import { maxElements, type Segment, segments, visible } from "./visible.ts";

/** UTF-16 units from which a text is shown in pieces. */
const long = 2_048;

/**
 * Foreign text: every character that a screen would hide stands as its code point, and what is written from right to left moves nothing
 * beside it.
 */
export function Visible(props: { text: string }) {
  return (
    <Show when={props.text.length > long} fallback={<Short text={props.text} />}>
      <Long text={props.text} />
    </Show>
  );
}

function Short(props: { text: string }) {
  const found = createMemo(() => shownSegments(props.text));
  return (
    <bdi dir="ltr">
      <Segments of={found()} />
    </bdi>
  );
}

/** All of a long text, put into the page as far as each frame has time. */
function Long(props: { text: string }) {
  const root = document.createElement("bdi");
  root.dir = "ltr";
  createEffect(
    on(
      () => props.text,
      (text) => onCleanup(fillInSteps(root, text, nodesOf)),
    ),
  );
  return root;
}

export function Segments(props: { of: readonly Segment[] }) {
  return <For each={props.of}>{(segment) => nodeOf(segment)}</For>;
}

const nodesOf = (text: string) => shownSegments(text).map(nodeOf);

/** A run from right to left finds its own direction; the runs themselves stand from left to right, as the text does. */
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
