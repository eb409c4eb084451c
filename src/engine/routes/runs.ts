import * as v from "valibot";
import { modelOf } from "../agents/agent-lookup.ts";
import type { EntryAgent } from "../agents/run-agent.ts";
import { clean } from "../../dialog/clean.ts";
import { inputHash } from "../agents/input-hash.ts";
import type { ChangeRunBody, NewRunBody, RunStarted } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import { isModelName } from "../names.ts";
import { failure, json } from "./answers.ts";
import { nonEmpty, readBody, text } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { refusalAnswer } from "./error-responses.ts";
import { route, type Routes } from "./route.ts";

const aCount = "expected a whole number, 0 to 999999999999";
const count = v.optional(v.pipe(v.number(aCount), v.integer(aCount), v.minValue(0, aCount), v.maxValue(999_999_999_999, aCount)));
const limitsBody = v.strictObject(
  { agents: count, depth: count, fanout: count, tokens: count },
  "expected {agents, depth, fanout, tokens}, each of which can be left out",
);
const changeBody = v.strictObject(
  {
    runId: nonEmpty,
    dialogId: v.optional(nonEmpty),
    paused: v.optional(v.boolean("expected true or false")),
    limits: v.optional(limitsBody),
    status: v.optional(v.picklist(["aborted", "cleared"], "expected aborted or cleared")),
    apply: v.optional(v.literal(true, "expected true")),
  },
  "expected runId, dialogId, paused, limits, status, apply",
) satisfies v.GenericSchema<unknown, ChangeRunBody>;

export interface RunRouteContext extends Pick<RouteContext, "files" | "providers"> {
  readonly dialogs: Pick<Dialogs, "create" | "runs" | "runLimits">;
}

/** Starts, lists and changes runs of agents. */
export function runRoutes(app: Routes, { dialogs, providers, files }: RunRouteContext): void {
  const provider = v.pipe(
    text,
    v.check((name) => providers.provider(name) !== null, `expected one of ${providers.names.join(", ")}`),
  );
  const newBody = v.strictObject(
    {
      agent: nonEmpty,
      input: v.pipe(
        nonEmpty,
        v.check((value) => clean(value) !== "", "expected text that is not empty"),
        v.check((value) => value.length <= limits.prompt, `expected at most ${limits.prompt} characters`),
      ),
      provider,
      model: v.optional(v.pipe(text, v.check(isModelName, "expected a model ID: 1 to 100 characters of A-Z a-z 0-9 . _ : / -"))),
      hash: v.optional(v.pipe(text, v.regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits"))),
      freely: v.optional(v.boolean("expected true or false")),
      limits: v.optional(limitsBody),
    },
    "expected agent, input, provider, model, hash, freely, limits",
  ) satisfies v.GenericSchema<unknown, NewRunBody>;

  async function start(body: NewRunBody, { agent, path, model, isYours, problems }: EntryAgent): Promise<Response> {
    const wanted = modelOf(model, body.provider, (name) => providers.provider(name) !== null);
    const name = wanted.provider ?? body.provider;
    const usual = await dialogs.runLimits();
    const done = await dialogs.create({
      provider: name,
      model: body.model ?? wanted.model ?? providers.defaultModel(name) ?? "",
      slug: agent.slug,
      prompt: body.input,
      launchedBy: null,
      agent,
      run: {
        root: null,
        file: path,
        input: inputHash(body.input),
        problems,
        limits: {
          agents: body.limits?.agents ?? usual.agents,
          depth: body.limits?.depth ?? usual.depth,
          fanout: body.limits?.fanout ?? usual.fanout,
          tokens: body.limits?.tokens ?? usual.tokens,
        },
        authorized: new Set(body.freely === true ? agent.tools : []),
        asMain: isYours,
      },
    });
    if (!done.ok) return refusalAnswer(done.refusal);
    const { id, path: file } = done.value;
    return json({ runId: id, dialogId: id, filename: file.slice("vibey/".length) } satisfies RunStarted, 201);
  }

  route(app, "/agents/runs", {
    GET: async () => json(await dialogs.runs.list()),
    POST: async ({ request }) => {
      const parsed = await readBody(request, newBody);
      if (!parsed.ok) return parsed.answer;
      const body = parsed.value;
      if (body.freely === true && body.hash === undefined) return failure(400, "hash: expected with freely, of the file as it was shown");
      const { entryAgent } = await import("../agents/run-agent.ts");
      const found = await entryAgent(body.agent, files);
      if (typeof found === "string") return failure(404, `agent: ${found}`);
      if (body.hash !== undefined && body.hash !== found.hash)
        return failure(412, `${found.path} reads otherwise now. Look at it again. Nothing was started.`);
      return start(body, found);
    },
    PUT: async ({ request }) => {
      const parsed = await readBody(request, changeBody);
      if (!parsed.ok) return parsed.answer;
      const { runId, dialogId = null, paused = null, limits: given = {}, status = null, apply = false } = parsed.value;
      const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      if (paused === null && status === null && !apply && Object.keys(said).length === 0)
        return failure(400, "body: expected one of paused, limits, status, apply");
      if (apply && dialogId === null) return failure(400, "apply: expected with dialogId");
      if (status !== null && (paused !== null || Object.keys(said).length > 0))
        return failure(400, "status: expected without paused and limits");
      if (dialogId !== null && Object.keys(said).length > 0) return failure(400, "limits: expected without dialogId: they are the run's");
      const done = await dialogs.runs.change({ runId, dialogId, paused, limits: said, status, apply });
      if (done === null) return failure(404, dialogId === null ? "Run not found" : "This run has no such agent");
      return done.ok ? json(done.value) : refusalAnswer(done.refusal);
    },
  });
}
