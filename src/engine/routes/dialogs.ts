import type { Hono } from "hono/tiny";
import * as v from "valibot";
import type { DialogAnswer, DialogListing, Frame, StatusAnswer } from "../api.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { Live } from "../dialogs/live.ts";
import { dialogView } from "../dialogs/view.ts";
import { clean } from "../format/clean.ts";
import { parseAuthorizations, parseDecisions } from "../format/sentinel.ts";
import { isToolName } from "../format/ids.ts";
import { limits } from "../limits.ts";
import { isModelName } from "../names.ts";
import { failure, json } from "./answers.ts";
import { nonEmpty, readBody, text } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { refusalAnswer } from "./refusals.ts";
import { type Call, route } from "./route.ts";
import { frameStream } from "./sse.ts";

const model = v.pipe(text, v.check(isModelName, "expected a model's id: 1 to 100 characters of A-Z a-z 0-9 . _ : / -"));
const prompt = v.pipe(
  nonEmpty,
  v.check((value) => clean(value) !== "", "expected text that is not empty"),
  v.check((value) => value.length <= limits.prompt, `expected at most ${limits.prompt} characters`),
);
const decisions = v.union(
  [text, v.array(v.object({ id: text, approved: v.boolean() }))],
  "expected lines `<tool_call_id>: approve` or `<tool_call_id>: deny`, or a list of {id, approved}",
);
const authorizations = v.union([text, v.array(text)], "expected lines `allow <tool_name>` or `deny <tool_name>`, or a list of tool names");

export interface DialogRouteContext extends Pick<RouteContext, "providers" | "store"> {
  readonly dialogs: Dialogs;
}

export function dialogRoutes(app: Hono, { dialogs, providers, store }: DialogRouteContext): void {
  const provider = v.pipe(
    text,
    v.check((name) => providers.provider(name) !== null, `expected one of ${providers.names.join(", ")}`),
  );
  const newBody = v.object({ provider, model: v.optional(model), slug: v.optional(text) });
  const firstBody = v.object({ ...newBody.entries, prompt });
  const putBody = v.object({
    dialogId: nonEmpty,
    status: v.optional(v.picklist(["waiting", "done"], "expected waiting or done")),
    prompt: v.optional(prompt),
    decisions: v.optional(decisions),
    authorizations: v.optional(authorizations),
    hashes: v.optional(v.record(text, text)),
    provider: v.optional(provider),
    model: v.optional(model),
  });

  route(app, "/dialogs", {
    GET: async () => json((await dialogs.list()) satisfies DialogListing[]),
  });

  route(app, "/dialog/new", {
    POST: async ({ request }) => {
      const parsed = await readBody(request, newBody);
      if (!parsed.ok) return parsed.answer;
      const done = await dialogs.create({ ...complete(parsed.value), prompt: null, launchedBy: null });
      if (!done.ok) return refusalAnswer(done.refusal);
      const { dialogId, filename, provider: name, model: id, status } = dialogView(done.value);
      return json({ dialogId, filename, provider: name, model: id, status });
    },
  });

  route(app, "/dialog", { POST: post, PUT: put });

  route(app, "/dialog/:id", {
    GET: async ({ param }) => {
      const live = await dialogs.get(param("id"));
      if (!live) return failure(404, "Dialog not found");
      await store.flush();
      return json({ ...dialogView(live), markdown: live.text } satisfies DialogAnswer);
    },
  });

  function complete(body: { provider: string; model?: string | undefined; slug?: string | undefined }) {
    return { provider: body.provider, model: body.model ?? providers.defaultModel(body.provider) ?? "", slug: body.slug ?? "" };
  }

  async function post({ request }: Call): Promise<Response> {
    const parsed = await readBody(request, firstBody);
    if (!parsed.ok) return parsed.answer;
    const stream = turnStream();
    const done = await dialogs.create({ ...complete(parsed.value), prompt: parsed.value.prompt, launchedBy: null }, (frame) =>
      stream.onFrame(frame),
    );
    return done.ok ? stream.response(done.value) : refusalAnswer(done.refusal);
  }

  async function put({ request }: Call): Promise<Response> {
    const parsed = await readBody(request, putBody);
    if (!parsed.ok) return parsed.answer;
    const body = parsed.value;
    if (body.status !== undefined) {
      if (body.prompt !== undefined || body.decisions !== undefined || body.authorizations !== undefined) {
        return failure(400, "status: expected alone, without prompt, decisions or authorizations");
      }
      const done = await dialogs.setStatus(body.dialogId, body.status);
      return done.ok ? json(statusAnswer(done.value)) : refusalAnswer(done.refusal);
    }
    if (body.prompt === undefined && body.decisions === undefined && body.authorizations === undefined) {
      return failure(400, "body: expected one of status, prompt, decisions, authorizations");
    }
    const stream = turnStream();
    const done = await dialogs.put(
      body.dialogId,
      {
        decisions: decisionsOf(body.decisions),
        authority: authorityOf(body.authorizations),
        hashes: new Map(Object.entries(body.hashes ?? {})),
        prompt: body.prompt ?? null,
        provider: body.provider ?? null,
        model: body.model ?? null,
      },
      (frame) => stream.onFrame(frame),
    );
    if (!done.ok) return refusalAnswer(done.refusal);
    // Without a turn that goes on, or one that just began and ended, there is nothing to stream.
    return done.value.state.turn || stream.hasStreamed() ? stream.response(done.value) : json(statusAnswer(done.value));
  }
}

/** The frames of one turn, from the first on, as the stream that answers the call which began it. */
function turnStream() {
  const { sink, response } = frameStream<Frame>();
  const early: Frame[] = [];
  let started = false;
  const send = (frame: Frame) => {
    sink.send(frame);
    if (frame.type === "done") sink.end();
  };
  return {
    onFrame(frame: Frame) {
      if (started) send(frame);
      else early.push(frame);
    },
    hasStreamed: () => early.some((frame) => frame.type === "chunk" || frame.type === "error"),
    response(live: Live): Response {
      started = true;
      send({ type: "dialog", dialogId: live.id, filename: live.path.slice("vibey/".length) });
      for (const frame of early) send(frame);
      return response();
    },
  };
}

function statusAnswer(live: Live): StatusAnswer {
  return { ok: true, dialogId: live.id, filename: live.path.slice("vibey/".length), status: live.state.status };
}

function decisionsOf(given: v.InferOutput<typeof decisions> | undefined): ReadonlyMap<string, "approve" | "deny"> {
  if (given === undefined) return new Map();
  if (typeof given === "string") return parseDecisions(given);
  return new Map(given.map(({ id, approved }) => [id, approved ? "approve" : "deny"]));
}

function authorityOf(given: v.InferOutput<typeof authorizations> | undefined) {
  if (given === undefined) return [];
  const all =
    typeof given === "string"
      ? [...parseAuthorizations(given)].map(([tool, word]) => ({ tool, allow: word === "allow" }))
      : given.map((tool) => ({ tool, allow: true }));
  return all.filter(({ tool }) => isToolName(tool));
}
