import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import * as v from "valibot";
import { human } from "../../fs/actor.ts";
import type { CommitOptions } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { readMain } from "../dialogs/docs.ts";
import { dialogAgent } from "../agents/dialog-agent.ts";
import { toolPermissionRows } from "../agents/tool-permission-rows.ts";
import { slugPattern } from "../agents/definition.ts";
import { editDefinition } from "../agents/edit-definition.ts";
import { readDefinition } from "../agents/read-definition.ts";
import { createRegistry, type Registered } from "../agents/registry.ts";
import type { AdoptBody, AgentAnswer, AgentBody, AgentView, AgentWritten, NewAgentBody } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { importRoutes } from "./agent-import.ts";
import { levelRoutes } from "./agent-levels.ts";
import { versionRoutes } from "./agent-versions.ts";
import { builtInRoutes } from "./built-in-agents.ts";
import { etag, failure, ifMatch, json, notAsExpected, storageAnswer } from "./answers.ts";
import { readBody, text } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { createRoutes, type Fetch, route } from "./route.ts";

const words = v.nullish(text);
const count = v.nullish(
  v.pipe(v.number("expected a number"), v.safeInteger("expected a whole number"), v.minValue(1, "expected a number above 0")),
);
const list = v.nullish(v.array(text, "expected a list of texts"));
const flag = v.nullish(v.boolean("expected true or false"));

/** "all", or a number of messages. */
const context = v.nullish(v.union([v.literal("all"), count.wrapped], `expected "all" or a whole number above 0`));
const rules = v.nullish(
  v.array(
    v.strictObject(
      {
        action: text,
        requires: v.optional(v.picklist(["any_member", "admin", "specific_user"], "expected any_member, admin or specific_user")),
        timeout: v.optional(count.wrapped),
      },
      "expected action, requires and timeout",
    ),
    "expected a list of rules",
  ),
);

const newBody = v.object({ slug: text, text }) satisfies v.GenericSchema<unknown, NewAgentBody>;
const adoptBody = v.object({ path: text, hash: text, over: v.optional(text) }) satisfies v.GenericSchema<unknown, AdoptBody>;
const body = v.object({
  text: v.optional(text),
  change: v.optional(
    v.strictObject(
      {
        display_name: words,
        description: words,
        avatar_url: words,
        model: words,
        max_tokens: count,
        capabilities: list,
        is_active: flag,
        tools: list,
        agents: list,
        max_turns: count,
        timeout: count,
        memory: flag,
        context,
        reads: list,
        writes: list,
        approve_actions: list,
        escalate_actions: list,
        approval_rules: rules,
      },
      "expected keys of an agent file",
    ),
  ),
}) satisfies v.GenericSchema<unknown, AgentBody>;

/** The agents that files describe. Only those in `vibey/` can be written here. */
export function agentRoutes(
  { files, store, history }: Pick<RouteContext, "files" | "store" | "history">,
  report: (error: unknown) => void,
): Fetch {
  const app = createRoutes(report);
  const registry = createRegistry(files);

  /** `expected`: the version that the file must have. Null: the file must not exist. Undefined: any version, or no file. */
  async function write(path: Path, content: string, expected: number | null | undefined, status: number): Promise<Response> {
    if (content.length > limits.fileBytes) return failure(400, `text: expected at most ${limits.fileBytes} characters`);
    const expect: CommitOptions["expect"] = expected === undefined ? [] : [{ path, version: expected }];
    const bytes = utf8ToBytes(content);
    const stored = await store.other([{ op: "write", path, data: bytes }], { durability: "strict", by: human, expect });
    if (stored.ok) {
      const { slug, problems } = readDefinition(path, content);
      return json({ slug, hash: bytesToHex(sha256(bytes)), problems } satisfies AgentWritten, status, etag(stored.version));
    }
    if (stored.failure.kind !== "conflict") return storageAnswer(stored.failure.kind);
    return expected === null ? taken(path) : failure(412, `${path} was changed meanwhile; nothing was stored`);
  }

  route(app, "/agents", {
    GET: async () => json((await registry.all()).map(viewOf)),
    POST: async ({ request }) => {
      const parsed = await readBody(request, newBody);
      if (!parsed.ok) return parsed.answer;
      const { slug, text: content } = parsed.value;
      if (!slugPattern.test(slug))
        return failure(400, "slug: expected lower-case letters, digits, - and _, at most 40, beginning with none of -");
      const same = await registry.find(slug);
      // Another file can have the same slug, because names can differ in case.
      if (same?.place === "yours") return taken(same.definition.path);
      return write(vibeyPath(`agent-${slug}.md`), content, null, 201);
    },
  });

  route(app, "/agents/adopt", {
    POST: async ({ request }) => {
      const parsed = await readBody(request, adoptBody);
      if (!parsed.ok) return parsed.answer;
      const all = await registry.all();
      const found = all.find(({ definition, place }) => place === "found" && definition.path === parsed.value.path);
      if (!found) return failure(404, "There is no agent of another program at that path");
      if (found.hash !== parsed.value.hash) return failure(412, `${found.definition.path} reads otherwise now; nothing was stored`);
      const { slug } = found.definition;
      if (slug.startsWith("_"))
        return failure(409, `${found.definition.path} is named as one of Vibey's own agents, and another program's can't be one`);
      const same = all.find(({ definition, place }) => place === "yours" && definition.slug === slug);
      if (!same) return write(vibeyPath(`agent-${slug}.md`), found.text, null, 201);
      const { over } = parsed.value;
      if (over === undefined) return taken(same.definition.path);
      if (over !== same.hash) return failure(412, `${same.definition.path} reads otherwise now; nothing was stored`);
      return write(same.definition.path, found.text, same.version, 200);
    },
  });

  route(app, "/agents/profile/:slug", {
    GET: async ({ param }) => {
      const found = await registry.find(param("slug"));
      if (found === null) return failure(404, "Agent not found");
      const { definition, text: content } = found;
      return json({ ...viewOf(found), text: content, body: definition.body } satisfies AgentAnswer, 200, etag(found.version));
    },
    PUT: async ({ request, param }) => {
      const parsed = await readBody(request, body);
      if (!parsed.ok) return parsed.answer;
      const { text: whole, change } = parsed.value;
      if ((whole === undefined) === (change === undefined)) return failure(400, "body: expected either text or change");
      const match = ifMatch(request);
      if (!match.ok) return failure(412, "If-Match names a version that was never one of this file's");
      const found = await registry.find(param("slug"));
      if (found === null) return failure(404, "Agent not found");
      if (found.place !== "yours") return foreign(found);
      if (match.version === null) return notAsExpected(found.definition.path, null);
      const content = whole ?? editDefinition(found.text, given(change ?? {}));
      // The change is based on the version that was read, so the file may not have changed since.
      return write(found.definition.path, content, match.version ?? (whole === undefined ? found.version : undefined), 200);
    },
    DELETE: async ({ param }) => {
      const found = await registry.find(param("slug"));
      if (found === null) return failure(404, "Agent not found");
      if (found.place !== "yours") return foreign(found);
      const stored = await store.other([{ op: "remove", path: found.definition.path }], { durability: "strict", by: human });
      if (stored.ok) return json({ ok: true });
      return stored.failure.kind === "missing" ? failure(404, "Agent not found") : storageAnswer(stored.failure.kind);
    },
  });
  route(app, "/agents/profile/:slug/powers", {
    GET: async ({ param }) => {
      const found = await registry.find(param("slug"));
      return found === null ? failure(404, "Agent not found") : json(toolPermissionRows(dialogAgent(found), await readMain(files)));
    },
  });
  versionRoutes(app, { files, history });
  builtInRoutes(app, registry);
  levelRoutes(app, { files, store });
  importRoutes(app, { files, store });
  return app.fetch;
}

const foreign = ({ definition }: Registered): Response =>
  failure(403, `${definition.path} belongs to another program; only agents in vibey/ are changed here`);
const taken = (path: Path): Response => failure(409, `There is ${path} already`);

/** Removes the keys that weren't given. */
function given<Value>(change: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(change).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));
}

function viewOf({ definition, place, hash, mtime }: Registered): AgentView {
  const { slug, path, isSystem, fields, problems, unused } = definition;
  return { slug, path, place, isSystem, ...fields, problems, unused, hash, mtime };
}
