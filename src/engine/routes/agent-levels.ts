import * as v from "valibot";
import { human } from "../../fs/actor.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { levelLines, levelOf, levels, withLevel } from "../../dialog/levels.ts";
import type { LevelBody, LevelsAnswer } from "../../protocol/index.ts";
import { failure, json, storageAnswer, tagOf } from "./answers.ts";
import { readBody } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { route, type Routes } from "./route.ts";

const body = v.object({
  level: v.picklist(levels, "expected 0, 1, 2 or 3"),
  etag: v.nullable(v.string("expected a text or null")),
}) satisfies v.GenericSchema<unknown, LevelBody>;

/** The levels of doc-main.md. A click writes their lines, so only the page may call this. */
export function levelRoutes(app: Routes, { files, store }: Pick<RouteContext, "files" | "store">): void {
  const main = vibeyPath("doc-main.md");
  async function read() {
    const content = await files.read(main);
    return { version: content?.version ?? null, text: content ? new TextDecoder().decode(content.bytes) : "" };
  }
  async function answer(): Promise<Response> {
    const { version, text } = await read();
    const all = levels.map((level) => ({ level, ...levelLines(text, level) }));
    return json({ etag: tagOf(version), level: levelOf(text), levels: all } satisfies LevelsAnswer);
  }
  const changed = (): Response => failure(412, "doc-main.md was changed meanwhile; nothing was stored");

  route(app, "/agents/levels", {
    GET: answer,
    PUT: async ({ request }) => {
      const parsed = await readBody(request, body);
      if (!parsed.ok) return parsed.answer;
      const { version, text } = await read();
      if (tagOf(version) !== parsed.value.etag) return changed();
      const data = new TextEncoder().encode(withLevel(text, parsed.value.level));
      const expect = [{ path: main, version }];
      const stored = await store.other([{ op: "write", path: main, data }], { durability: "strict", by: human, expect });
      if (stored.ok) return answer();
      return stored.failure.kind === "conflict" ? changed() : storageAnswer(stored.failure.kind);
    },
  });
}
