import { json, writeFile } from "../model/api/calls.ts";
import { mainDoc } from "../docs/names.ts";
import type { FileLists } from "../docs/files.ts";
import type { Starter } from "../dialogs/start.ts";
import { makeProject } from "../project/make.ts";
import { projectNameProblem } from "../project/name.ts";
import { openProject } from "../project/projects.ts";
import { currentProject } from "../model/current-project.ts";
import type { Router } from "../model/route.ts";
import * as t from "../texts/begin.ts";
import { isFirstBegun } from "./begun.ts";
import { beginKey } from "./begin-key.ts";

export interface BeginParts {
  readonly files: FileLists;
  readonly router: Router;
  readonly starter: Starter;
}

/** The two ways to begin. Each resolves to why it failed; null: it has begun, or the page is about to reload in another project. */
export type Beginning = { readonly kind: "demo" } | { readonly kind: "own"; readonly text: string };

/** Begins in this project if it is empty, else in the first project if that is empty, else in a new one. */
export async function begin(wanted: Beginning, parts: BeginParts): Promise<string | null> {
  await parts.files.refresh();
  const problem = parts.files.problem();
  if (problem !== null) return problem;
  if (parts.files.names().length === 0 && parts.files.deed().length === 0) return here(wanted, parts);
  if (currentProject() !== "" && !isFirstBegun()) {
    sessionStorage.setItem(beginKey, JSON.stringify(wanted));
    openProject("");
    return null;
  }
  if (wanted.kind === "own")
    return makeProject(nameFor(firstWords(wanted.text) || t.ownProject), { [mainDoc]: docOf(wanted.text) }, forever());
  const docs = await json<readonly { readonly name: string; readonly content: string }[]>("demo");
  if (!docs.ok) return docs.message;
  sessionStorage.setItem(beginKey, JSON.stringify(wanted));
  const failed = await makeProject(
    nameFor(t.demoProject),
    Object.fromEntries(docs.value.map(({ name, content }) => [name, content])),
    forever(),
  );
  if (failed !== null) sessionStorage.removeItem(beginKey);
  return failed;
}

async function here(wanted: Beginning, { files, router, starter }: BeginParts): Promise<string | null> {
  if (wanted.kind === "demo") return startDemo(files, starter);
  const written = await writeFile(mainDoc, docOf(wanted.text));
  if (!written.ok) return written.message;
  await files.refresh();
  router.go({ tab: "docs", file: { kind: "doc", name: mainDoc } });
  return null;
}

async function startDemo(files: FileLists, starter: Starter): Promise<string | null> {
  const put = await json("demo", { method: "POST" });
  if (!put.ok) return put.message;
  await files.refresh();
  await starter.startWith("demo");
  return null;
}

/** Continues with what the previous page handed over. */
export async function beginHanded(parts: BeginParts): Promise<string | null> {
  const handed: Beginning | null = JSON.parse(sessionStorage.getItem(beginKey) ?? "null");
  sessionStorage.removeItem(beginKey);
  if (handed === null) return null;
  return handed.kind === "demo" ? startDemo(parts.files, parts.starter) : begin(handed, parts);
}

const docOf = (text: string) => `${text.trim()}\n`;

/** The first line as a name: at most 40 characters, without Markdown marks before it. */
function firstWords(text: string): string {
  const line =
    text
      .trim()
      .split("\n", 1)[0]
      ?.replace(/^[#>*\-\s]+/, "") ?? "";
  return line.length <= 40
    ? line.trim()
    : line
        .slice(0, 40)
        .replace(/\s+\S*$/, "")
        .trim();
}

/** The name, with a number if it is taken. */
function nameFor(name: string): string {
  let free = name;
  for (let nth = 2; projectNameProblem(free) !== null; nth++) free = `${name} ${nth}`;
  return free;
}

const forever = () => new AbortController().signal;
