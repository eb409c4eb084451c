/**
 * Finds the colors of code in a worker, so that slow code doesn't block the page and can be given up. Answers with pieces of the text, never with
 * markup.
 */
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import { type Piece, pieces } from "./pieces.ts";

export interface HighlightOrder {
  readonly id: number;
  readonly language: string;
  readonly text: string;
}
export interface HighlightDone {
  readonly id: number;
  /** Null: the language isn't known here. */
  readonly pieces: readonly Piece[] | null;
}

const lowlight = createLowlight({ bash, css, diff, javascript, json, markdown, python, sql, typescript, xml, yaml });
lowlight.registerAlias({ bash: ["console", "shell"], json: ["json5", "jsonl"] });

addEventListener("message", ({ data }: MessageEvent<HighlightOrder>) => {
  const known = lowlight.registered(data.language);
  const done: HighlightDone = { id: data.id, pieces: known ? pieces(lowlight.highlight(data.language, data.text)) : null };
  postMessage(done);
});
