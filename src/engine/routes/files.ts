import { human } from "../../fs/actor.ts";
import { isVibeyName, nameOf, vibeyPath } from "../../fs/vibey-name.ts";
import type { PutRefusal } from "../dialogs/outcome.ts";
import type { FileAnswer } from "../../protocol/index.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { firstLimits } from "../../protocol/first-limits.ts";
import { etag, failure, ifMatch, notAsExpected, json, storageAnswer } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { type Call, route, type Routes } from "./route.ts";

/** The files in `vibey/` by name: docs, profiles and dialogs. */
export function fileRoutes(app: Routes, { files, store, agents }: RouteContext): void {
  route(app, "/files", {
    GET: async () => {
      const stats = await files.list("vibey/");
      const named = stats.flatMap((stat) => {
        const name = nameOf(stat.path);
        return name === null ? [] : [{ name, mtime: stat.mtime }];
      });
      return json(named.toSorted((a, b) => b.mtime - a.mtime || (a.name < b.name ? -1 : 1)).map(({ name }) => name));
    },
  });

  route(app, "/file/:name{.+}", { GET: withName(read), POST: withName(write), DELETE: withName(remove) });

  async function read(name: string): Promise<Response> {
    await store.flush();
    const content = await files.read(vibeyPath(name));
    if (!content) return failure(404, "File not found");
    return json({ name, content: new TextDecoder().decode(content.bytes) } satisfies FileAnswer, 200, etag(content.version));
  }

  async function write(name: string, { request }: Call): Promise<Response> {
    const { readFileText } = await import("./bodies.ts");
    const parsed = await readFileText(request);
    if (!parsed.ok) return parsed.answer;
    const { content } = parsed.value;
    if (content.length > firstLimits.fileBytes) return failure(400, `content: expected at most ${firstLimits.fileBytes} characters`);
    const match = ifMatch(request);
    if (!match.ok) return failure(412, "If-Match names a version that was never one of this file's");
    const expected = match.version;
    if (parseDialogFilename(name)) {
      const { dialogs } = await agents();
      const done = await dialogs.replace(name, content, expected);
      if (done.ok) return json({ ok: true, name }, 200, etag(done.value));
      return done.refusal.kind === "changed" ? notAsExpected(name, expected) : refused(done.refusal);
    }
    const path = vibeyPath(name);
    const stored = await store.other([{ op: "write", path, data: new TextEncoder().encode(content) }], {
      durability: "strict",
      by: human,
      ...(expected === undefined ? {} : { expect: [{ path, version: expected }] }),
    });
    if (stored.ok) return json({ ok: true, name }, 200, etag(stored.version));
    return stored.failure.kind === "conflict" ? notAsExpected(name, expected) : storageAnswer(stored.failure.kind);
  }

  async function remove(name: string, { request }: Call): Promise<Response> {
    const match = ifMatch(request);
    if (!match.ok) return failure(412, "If-Match names a version that was never one of this file's");
    const expected = match.version;
    if (parseDialogFilename(name)) {
      const { dialogs } = await agents();
      const done = await dialogs.remove(name, expected);
      if (done.ok) return json({ ok: true });
      if (done.refusal.kind === "changed") return notAsExpected(name, expected);
      return done.refusal.kind === "unknown-dialog" ? failure(404, "File not found") : refused(done.refusal);
    }
    const path = vibeyPath(name);
    const stored = await store.other([{ op: "remove", path }], {
      durability: "strict",
      by: human,
      ...(expected === undefined ? {} : { expect: [{ path, version: expected }] }),
    });
    if (stored.ok) return json({ ok: true });
    if (stored.failure.kind === "missing") return failure(404, "File not found");
    return stored.failure.kind === "conflict" ? notAsExpected(name, expected) : storageAnswer(stored.failure.kind);
  }
}

function withName(handle: (name: string, call: Call) => Promise<Response>): (call: Call) => Promise<Response> {
  return async (call) => {
    const name = call.param("name");
    return isVibeyName(name) ? handle(name, call) : failure(400, "Invalid filename");
  };
}

/** The texts of all refusals are not loaded with the engine. */
async function refused(refusal: PutRefusal): Promise<Response> {
  const { refusalAnswer } = await import("./error-responses.ts");
  return refusalAnswer(refusal);
}
