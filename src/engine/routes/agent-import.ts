import * as v from "valibot";
import { human } from "../../fs/actor.ts";
import type { Files } from "../../fs/files.ts";
import { type Path, parsePath } from "../../fs/path.ts";
import { inflateEntry } from "../../fs/zip/inflate.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import { readZip } from "../../fs/zip/read.ts";
import type { OfferedFile } from "../agents/import/model.ts";
import { isOpenCode } from "../agents/import/opencode.ts";
import { type Existing, planImport } from "../agents/import/plan-import.ts";
import { fileBatches } from "../file-batches.ts";
import { isForeignAgent } from "../../protocol/foreign-files.ts";
import type { AgentImport } from "../../protocol/index.ts";
import { failure, json, storageAnswer } from "./answers.ts";
import { readBody, text } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { isVibey } from "./deed.ts";
import { route, type Routes } from "./route.ts";

/** The maximum number of files per import, bytes of a file, bytes of an inflated zip, and its compression ratio. */
const most = { files: 2_000, bytes: 200_000, inflated: 20_000_000, ratio: 200 };

const body = v.object({
  files: v.pipe(
    v.array(v.object({ path: text, text }), "expected a list of {path, text}"),
    v.minLength(1, "expected at least one file"),
    v.maxLength(most.files, `expected at most ${most.files} files`),
  ),
});

/** Whether the content of the file is read. */
const isText = (path: string): boolean => /\.(?:mdc?|ya?ml|txt)$/i.test(path) || isOpenCode(path);

/** Imports agents from files, folders and zips of other programs. The user adopts them afterwards. No existing file is overwritten. */
export function importRoutes(app: Routes, { files, store }: Pick<RouteContext, "files" | "store">): void {
  route(app, "/agents/import", {
    POST: async ({ request }) => {
      const offered = await offeredIn(request);
      if (offered instanceof Response) return offered;
      const { writes, unused, schedules } = planImport(offered, await existing(files));
      const refused: AgentImport["unused"][number][] = [...unused];
      const changes: { readonly op: "write"; readonly path: Path; readonly data: Uint8Array }[] = [];
      const written: AgentImport["written"][number][] = [];
      for (const { path: wanted, text: content, from } of writes) {
        const parsed = parsePath(wanted);
        const data = new TextEncoder().encode(content);
        if (!parsed.ok) refused.push({ path: from, why: `It can't have the path ${wanted}: ${parsed.failure.why}.` });
        // A zip with such a file couldn't be imported.
        else if (isVibey(parsed.path) && nameOf(parsed.path) === null)
          refused.push({ path: from, why: "It can't have this path: vibey/ holds docs and dialogs." });
        else if (data.length > most.bytes)
          refused.push({ path: from, why: `It is larger than ${most.bytes.toLocaleString("en-US")} bytes.` });
        else {
          changes.push({ op: "write", path: parsed.path, data });
          written.push({ path: parsed.path, from });
        }
      }
      if (changes.length > 0) {
        const expect = changes.map(({ path }) => ({ path, version: null }));
        const stored = await store.other(changes, { durability: "strict", by: human, expect });
        if (!stored.ok) {
          const { kind } = stored.failure;
          return kind === "conflict"
            ? failure(409, "A file came in meanwhile that has one of these names; nothing was stored")
            : storageAnswer(kind);
        }
      }
      return json({ written, unused: refused, schedules } satisfies AgentImport);
    },
  });
}

async function offeredIn(request: Request): Promise<readonly OfferedFile[] | Response> {
  if (request.headers.get("Content-Type") !== "application/zip") {
    const parsed = await readBody(request, body);
    return parsed.ok ? parsed.value.files : parsed.answer;
  }
  const reading = readZip(new Uint8Array(await request.arrayBuffer()), { entries: most.files, inflated: most.inflated, ratio: most.ratio });
  if (!reading.ok) return failure(400, `zip: ${reading.refusal.message}`);
  const offered: OfferedFile[] = [];
  for (const item of reading.entries) {
    if (!isText(item.path) || item.size > most.bytes) {
      offered.push({ path: item.path, text: "" });
      continue;
    }
    const inflated = await inflateEntry(item);
    if (!inflated.ok) return failure(400, `zip: ${item.path}: ${inflated.refusal.message}`);
    offered.push({ path: item.path, text: decode(inflated.bytes) });
  }
  return offered;
}

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** The existing files that an import may collide with. */
async function existing(files: Pick<Files, "list" | "readMany">): Promise<Existing> {
  const all = (await files.list()).filter(({ path }) => isForeignAgent(path) || /^vibey\/(?:agent|doc|memory)-/i.test(path));
  const found = new Map<string, string>();
  for (const batch of fileBatches(all, (stat) => stat))
    for (const content of await files.readMany(batch.map(({ path }) => path)))
      if (content) found.set(content.path.toLowerCase(), decode(content.bytes));
  return found;
}
