import { human } from "../../fs/actor.ts";
import * as v from "valibot";
import { type Path, parsePath } from "../../fs/path.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { docAuthority, revealAuthority } from "../../dialog/doc-authority.ts";
import { isAgentPath, isMainDoc } from "../../protocol/write-rules.ts";
import { etag, failure, ifMatch, json, notAsExpected, storageAnswer } from "./answers.ts";
import { readBody, text } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { isVibey } from "./deed.ts";
import { createRoutes, route } from "./route.ts";

const body = v.object({ from: text, to: text, copy: v.optional(v.boolean("expected true or false")) });

type Checked = { readonly ok: true; readonly path: Path } | { readonly ok: false; readonly answer: Response };

/** Renames or copies a doc or a file of the deed, in one transaction, and never over an existing file. */
export function moveRoutes({ files, store }: Pick<RouteContext, "files" | "store">, report: (error: unknown) => void) {
  const app = createRoutes(report);
  route(app, "/move", {
    POST: async ({ request }) => {
      const parsed = await readBody(request, body);
      if (!parsed.ok) return parsed.answer;
      const { copy = false } = parsed.value;
      const [from, to] = [check("from", parsed.value.from), check("to", parsed.value.to)];
      if (!from.ok) return from.answer;
      if (!to.ok) return to.answer;
      if (isVibey(from.path) !== isVibey(to.path)) return failure(400, "to: a doc stays a doc, and a file of the deed in the deed");
      if (!copy && isMainDoc(from.path)) return failure(403, "from: doc-main.md keeps its name, agents look for it");
      if (isAgentPath(to.path) && !isUsersAgent(from.path))
        return failure(403, "to: a doc doesn't become an agent by its name, as agents write docs: create the agent, and copy the text");
      const found = await files.read(from.path);
      if (!found) return failure(404, "File not found");
      const [line] = isMainDoc(to.path) ? docAuthority(revealAuthority(new TextDecoder().decode(found.bytes))) : [];
      if (line !== undefined) return failure(403, linesInTheWay(from.path, line));
      const match = ifMatch(request);
      if (match.ok && match.version === null) return notAsExpected(from.path, null);
      if (!match.ok || (match.version !== undefined && match.version !== found.version)) return changed(from.path);
      const stored = await store.other(
        [copy ? { op: "write", path: to.path, data: found.bytes } : { op: "rename", from: from.path, to: to.path }],
        {
          durability: "strict",
          by: human,
          expect: [
            { path: from.path, version: found.version },
            { path: to.path, version: null },
          ],
        },
      );
      if (stored.ok) return json({ ok: true, path: to.path }, 200, etag(stored.version));
      const { failure: why } = stored;
      if (why.kind === "exists" || (why.kind === "conflict" && why.path === to.path)) return failure(409, `${to.path} already exists`);
      if (why.kind === "conflict") return changed(from.path);
      return storageAnswer(why.kind);
    },
  });
  return app.fetch;
}

/** Whether the source file's name marks it as an agent's file. A similar name with another spelling comes from an import that didn't recognize it. */
const isUsersAgent = (path: Path): boolean => path.startsWith("vibey/agent-");

/** Agents write docs, but these lines count only in doc-main.md. */
function linesInTheWay(path: Path, line: string): string {
  const shown = line.length > 200 ? `${line.slice(0, 200)}…` : line;
  return `${path} can't become doc-main.md while it has lines that only you write there, such as ${JSON.stringify(shown)}: delete them first`;
}

function changed(path: Path): Response {
  return failure(412, `${path} was changed meanwhile; nothing was stored`);
}

function check(field: string, given: string): Checked {
  const parsed = parsePath(given);
  if (!parsed.ok) return { ok: false, answer: failure(400, `${field}: ${parsed.failure.why}`) };
  if (!isVibey(parsed.path)) return parsed;
  const name = nameOf(parsed.path);
  if (name === null)
    return { ok: false, answer: failure(400, `${field}: expected a name of a–z, digits, ".", "-" and "_" that ends in .md`) };
  if (parseDialogFilename(name))
    return { ok: false, answer: failure(403, `${field}: a dialog's file has the name that says when it began and how it stands`) };
  return parsed;
}
