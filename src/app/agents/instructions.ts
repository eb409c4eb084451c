import { type Answer, listDeed, readFile, writeFile } from "../model/api/calls.ts";
import { mainDoc } from "../docs/names.ts";
import { isForeignInstructions } from "../../protocol/foreign-files.ts";
import * as t from "../texts/agents-page.ts";

/** A file in which another program looks for instructions to agents. */
export interface Instructions {
  readonly path: string;
  /** Whether main names it, so that agents are told to read it. */
  readonly isNamed: boolean;
}

export async function readInstructions(): Promise<readonly Instructions[]> {
  const deed = await listDeed();
  const paths = deed.ok ? deed.value.flatMap(({ path }) => (isForeignInstructions(path) ? [path] : [])) : [];
  if (paths.length === 0) return [];
  const main = await readFile(mainDoc);
  return paths.map((path) => ({ path, isNamed: main.ok && main.value.content.includes(path) }));
}

/** Adds a line to main that tells agents to read the file. */
export async function nameInMain(path: string): Promise<Answer<unknown>> {
  const main = await readFile(mainDoc);
  if (!main.ok && main.kind !== "missing") return main;
  const text = main.ok ? main.value.content : "";
  const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return writeFile(mainDoc, `${text}${gap}${t.readFirst(path)}\n`, main.ok ? main.etag : null);
}
