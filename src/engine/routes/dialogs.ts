import { type AgentLookup, modelOf } from "../agents/agent-lookup.ts";
import * as v from "valibot";
import type { AsksAnswer, DialogAnswer, DialogListing, Frame, StatusAnswer, StopAllAnswer } from "../../protocol/index.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { Live } from "../dialogs/live.ts";
import { asksView, dialogView } from "../projections/view.ts";
import { clean } from "../../dialog/clean.ts";
import type { JsonObject } from "../../dialog/model.ts";
import { metaValue } from "../../dialog/meta.ts";
import { mentionsOf, sideOf } from "../../dialog/replies.ts";
import { maxTopicLength } from "../dialogs/side.ts";
import { lastSection, sectionCount } from "../../dialog/sections.ts";
import { brokenPatterns, parseAuthorizations, parseDecisions, parseHostWords } from "../../dialog/sentinel.ts";
import { isMeantAsPattern, isPattern } from "../../dialog/pattern.ts";
import { hostGrants, type HostWord, isToolName, MOST_COMMAND_SECONDS } from "../../dialog/ids.ts";
import { limits } from "../../protocol/limits.ts";
import type { AuthorityChange } from "../turn/machine/model.ts";
import { isModelName } from "../names.ts";
import { isHostName } from "../network/address.ts";
import { failure, json } from "./answers.ts";
import { nonEmpty, readBody, text } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { refusalAnswer } from "./error-responses.ts";
import { type Call, route, type Routes } from "./route.ts";
import { frameStream } from "./sse.ts";

const model = v.pipe(text, v.check(isModelName, "expected a model ID: 1 to 100 characters of A-Z a-z 0-9 . _ : / -"));
const prompt = v.pipe(
  nonEmpty,
  v.check((value) => clean(value) !== "", "expected text that is not empty"),
  v.check((value) => value.length <= limits.prompt, `expected at most ${limits.prompt} characters`),
);
const aMessage = "expected the number of a message; the first is 1";
const messageNumber = v.pipe(v.number(aMessage), v.integer(aMessage), v.minValue(1, aMessage));
/** The title of a room or the topic of a side fork. */
const title = v.pipe(
  nonEmpty,
  v.check((line) => metaValue(line) === line, "expected one line, without spaces at its ends"),
  v.maxLength(maxTopicLength, `expected at most ${maxTopicLength} characters`),
);
const mentions = v.array(text, 'expected a list of agents\' slugs, such as ["coder"]');
const decisions = v.union(
  [text, v.array(v.object({ id: text, approved: v.boolean() }))],
  "expected lines `<tool_call_id>: approve` or `<tool_call_id>: deny`, or a list of {id, approved}",
);
const aPattern =
  "expected, for a pattern, `command <words>`, `command <words> *` or `writes under <folder>/`, with plain words, one space between them and at most 150 characters";
const authorizationLines = v.pipe(
  text,
  v.check((lines) => brokenPatterns(lines).length === 0, aPattern),
);
const authorizationList = v.array(
  v.pipe(
    text,
    v.check((name) => isPattern(name) || !isMeantAsPattern(name), aPattern),
  ),
  "expected lines `allow <tool_name>` or `deny <tool_name>`, or a list of tool names",
);
const authorizations = v.lazy((given) => (typeof given === "string" ? authorizationLines : authorizationList));
const isRecord = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === "object" && given !== null && !Array.isArray(given);
/** Not `v.record`: it drops keys such as `constructor`, which can be a call's id. */
const hashes = v.custom<Readonly<Record<string, string>>>(
  (given) => isRecord(given) && Object.values(given).every((hash) => typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash)),
  "expected {<tool_call_id>: hash}, with hashes of 64 digits of 0-9 and a-f",
);

const changes = v.custom<Readonly<Record<string, JsonObject>>>(
  (given) => isRecord(given) && Object.values(given).every(isRecord),
  "expected {<tool_call_id>: arguments}, each a JSON object",
);

const hostWord = `expected true, false or one of ${hostGrants.join("; ")}`;
const networkList = v.array(
  v.object({
    host: v.pipe(
      text,
      v.check(isHostName, "expected a host in lower case, with its port when that is not the usual one, such as example.com"),
    ),
    allow: v.union([v.boolean(), v.picklist(hostGrants)], hostWord),
    question: v.optional(v.pipe(text, v.regex(/^[0-9a-f]{16}$/, "expected the 16 hexadecimal digits of a question"))),
  }),
  "expected a list of {host, allow}",
);
const aHostLine = `expected lines \`<host> [<question>]: <word>\`, the word being refuse or one of ${hostGrants.join("; ")}`;
const networkLines = v.pipe(
  text,
  v.check((lines) => {
    const words = parseHostWords(lines);
    return words.length > 0 && words.every(({ host }) => isHostName(host));
  }, aHostLine),
);
const network = v.lazy((given) => (typeof given === "string" ? networkLines : networkList));
const seconds = `expected a whole number of seconds, 1 to ${MOST_COMMAND_SECONDS}`;
const dialogLimits = v.strictObject(
  {
    command: v.optional(v.pipe(v.number(seconds), v.integer(seconds), v.minValue(1, seconds), v.maxValue(MOST_COMMAND_SECONDS, seconds))),
    cost: v.optional(v.picklist(["once", "unknown"], "expected once or unknown")),
  },
  "expected {command} or {cost}",
);

export interface DialogRouteContext extends Pick<RouteContext, "providers" | "store"> {
  readonly dialogs: Dialogs;
  readonly agents: Pick<AgentLookup, "find">;
}

export function dialogRoutes(app: Routes, { dialogs, providers, store, agents }: DialogRouteContext): void {
  const provider = v.pipe(
    text,
    v.check((name) => providers.provider(name) !== null, `expected one of ${providers.names.join(", ")}`),
  );
  const anyBody = v.object({ provider, model: v.optional(model), slug: v.optional(text), agent: v.optional(nonEmpty) });
  const newBody = v.object({ ...anyBody.entries, room: v.optional(title) });
  const firstBody = v.object({ ...anyBody.entries, prompt, mentions: v.optional(mentions) });
  const continueBody = v.object({ prompt: v.optional(prompt) });
  const forkBody = v.object({
    message: messageNumber,
    side: v.optional(v.literal(true, "expected true")),
    topic: v.optional(title),
    prompt: v.optional(prompt),
    provider: v.optional(provider),
    model: v.optional(model),
  });
  const allBody = v.object({ status: v.literal("waiting", "expected waiting") });
  const putBody = v.object({
    dialogId: nonEmpty,
    status: v.optional(v.picklist(["waiting", "done"], "expected waiting or done")),
    prompt: v.optional(prompt),
    mentions: v.optional(mentions),
    order: v.optional(v.picklist(["sequence", "turns"], "expected sequence or turns")),
    again: v.optional(v.literal(true, "expected true")),
    decisions: v.optional(decisions),
    authorizations: v.optional(authorizations),
    always: v.optional(v.array(text, "expected a list of ids of calls")),
    hashes: v.optional(hashes),
    changes: v.optional(changes),
    provider: v.optional(provider),
    model: v.optional(model),
    network: v.optional(network),
    limits: v.optional(dialogLimits),
    stopBackground: v.optional(text),
  });

  route(app, "/dialogs", {
    GET: async ({ url }) => {
      const facts = url.searchParams.get("facts");
      return json((await dialogs.list(facts === "all" ? "all" : facts === "1" ? "newest" : "none")) satisfies DialogListing[]);
    },
    PUT: async ({ request }) => {
      const parsed = await readBody(request, allBody);
      if (!parsed.ok) return parsed.answer;
      return json({ ok: true, stopped: await dialogs.stopAll() } satisfies StopAllAnswer);
    },
  });

  route(app, "/dialog/new", {
    POST: async ({ request }) => {
      const parsed = await readBody(request, newBody);
      if (!parsed.ok) return parsed.answer;
      const wanted = await complete(parsed.value);
      if (wanted === null) return noAgent(parsed.value.agent);
      const { room } = parsed.value;
      if (room !== undefined && parsed.value.agent !== undefined)
        return failure(400, "room: expected without agent: a room has none of its own");
      const named = room === undefined ? {} : { room, slug: parsed.value.slug ?? room };
      const done = await dialogs.create({ ...wanted, ...named, prompt: null, launchedBy: null });
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

  route(app, "/dialog/:id/asks", {
    GET: async ({ param }) => {
      const live = await dialogs.get(param("id"));
      return live ? json(asksView(live) satisfies AsksAnswer) : failure(404, "Dialog not found");
    },
  });

  route(app, "/dialog/:id/continue", {
    POST: async ({ request, param }) => {
      const parsed = await readBody(request, continueBody);
      if (!parsed.ok) return parsed.answer;
      const stream = turnStream();
      const done = await dialogs.continueFresh(param("id"), parsed.value.prompt ?? null, (frame) => stream.onFrame(frame));
      return done.ok ? turnAnswer(done.value, stream) : refusalAnswer(done.refusal);
    },
  });

  route(app, "/dialog/:id/resolve", {
    POST: async ({ param }) => {
      const done = await dialogs.resolve(param("id"));
      return done.ok ? json(statusAnswer(done.value)) : refusalAnswer(done.refusal);
    },
    PUT: async ({ param }) => {
      const done = await dialogs.sendSummary(param("id"));
      return done.ok ? json(statusAnswer(done.value)) : refusalAnswer(done.refusal);
    },
  });

  route(app, "/dialog/:id/fork", {
    POST: async ({ request, param }) => {
      const parsed = await readBody(request, forkBody);
      if (!parsed.ok) return parsed.answer;
      const { message, prompt: said = null, provider: name, model: id, side, topic } = parsed.value;
      if (side || topic !== undefined) {
        if (topic === undefined || side === undefined || said !== null || name !== undefined || id !== undefined)
          return failure(400, "side: expected with a topic, and without prompt, provider and model");
        const begun = await dialogs.side(param("id"), { message, topic });
        return begun.ok ? json(statusAnswer(begun.value)) : refusalAnswer(begun.refusal);
      }
      const stream = turnStream();
      const wanted = { message, prompt: said, provider: name ?? null, model: id ?? (name ? providers.defaultModel(name) : null) };
      const done = await dialogs.fork(param("id"), wanted, said === null ? undefined : (frame) => stream.onFrame(frame));
      if (!done.ok) return refusalAnswer(done.refusal);
      return said === null ? json(statusAnswer(done.value)) : turnAnswer(done.value, stream);
    },
  });

  /** Null if there is no such agent. */
  async function complete(body: v.InferOutput<typeof anyBody>) {
    const found = body.agent === undefined ? null : await agents.find(body.agent);
    if (body.agent !== undefined && !found) return null;
    const wanted = found ? modelOf(found.model, body.provider, (name) => providers.provider(name) !== null) : {};
    const name = wanted.provider ?? body.provider;
    return {
      provider: name,
      model: body.model ?? wanted.model ?? providers.defaultModel(name) ?? "",
      slug: body.slug ?? body.agent ?? "",
      agent: found?.agent ?? null,
    };
  }

  async function post({ request }: Call): Promise<Response> {
    const parsed = await readBody(request, firstBody);
    if (!parsed.ok) return parsed.answer;
    const wanted = await complete(parsed.value);
    if (wanted === null) return noAgent(parsed.value.agent);
    const stream = turnStream();
    const { prompt: said, mentions: named = null } = parsed.value;
    const done = await dialogs.create({ ...wanted, prompt: said, mentions: named, launchedBy: null }, (frame) => stream.onFrame(frame));
    return done.ok ? turnAnswer(done.value, stream) : refusalAnswer(done.refusal);
  }

  async function put({ request }: Call): Promise<Response> {
    const parsed = await readBody(request, putBody);
    if (!parsed.ok) return parsed.answer;
    const body = parsed.value;
    const words = wordsOf(body);
    if (body.stopBackground !== undefined) {
      if (Object.keys(body).length > 2) return failure(400, "stopBackground: expected alone, with nothing but the dialogId");
      const done = await dialogs.stopBackground(body.dialogId, body.stopBackground);
      return done.ok ? json(statusAnswer(done.value)) : refusalAnswer(done.refusal);
    }
    if (body.again !== undefined && (body.prompt !== undefined || body.decisions !== undefined)) {
      return failure(400, "again: expected without prompt and decisions");
    }
    const needsTurn = body.prompt !== undefined || body.again !== undefined || body.decisions !== undefined;
    if (body.status !== undefined) {
      if (needsTurn || body.authorizations !== undefined || words.length > 0) {
        return failure(400, "status: expected alone, without prompt, again, decisions, authorizations, network or limits");
      }
      const done = await dialogs.setStatus(body.dialogId, body.status);
      return done.ok ? json(statusAnswer(done.value)) : refusalAnswer(done.refusal);
    }
    if (!needsTurn && body.authorizations === undefined && words.length === 0) {
      return failure(400, "body: expected one of status, prompt, again, decisions, authorizations, network, limits");
    }
    const decided = decisionsOf(body.decisions);
    const named = new Map(Object.entries(body.hashes ?? {}));
    const unnamed = [...decided].flatMap(([id, word]) => (word === "approve" && !named.has(id) ? [id] : []));
    if (unnamed.length > 0) {
      return failure(
        400,
        `hashes: expected, for each call that is approved, the hash that the dialog shows with it; missing: ${unnamed.join(", ")}`,
      );
    }
    // A request that only changes what commands may do doesn't wait for the turn, even if one is active.
    const settingsOnly = !needsTurn && body.authorizations === undefined;
    const stream = turnStream();
    const done = await dialogs.put(
      body.dialogId,
      {
        decisions: decided,
        authority: [...authorityOf(body.authorizations), ...words],
        hashes: named,
        ...(body.changes === undefined ? {} : { changes: new Map(Object.entries(body.changes)) }),
        questions: new Map(hostAnswers(body.network).flatMap(({ host, question }) => (question === undefined ? [] : [[host, question]]))),
        prompt: body.prompt ?? null,
        mentions: body.mentions ?? null,
        order: body.order ?? null,
        always: new Set(body.always),
        again: body.again === true,
        provider: body.provider ?? null,
        model: body.model ?? null,
      },
      settingsOnly ? undefined : (frame) => stream.onFrame(frame),
    );
    if (!done.ok) return refusalAnswer(done.refusal);
    if (settingsOnly) return json(statusAnswer(done.value));
    return turnAnswer(done.value, stream);
  }
}

/** If no turn is active and none has just begun and ended, there is nothing to stream. */
function turnAnswer(live: Live, stream: ReturnType<typeof turnStream>): Response {
  return live.state.turn || stream.hasStreamed() ? stream.response(live) : json(statusAnswer(live));
}

/** The frames of one turn from its first frame, as the stream that answers the request that started it. */
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
  const { dialog, status } = live.state;
  const last = lastSection(dialog);
  const tasks = last ? mentionsOf(last).map((one) => ({ ...one, status: "queued" as const })) : [];
  const side = last ? sideOf(last) : null;
  const named = { ok: true, dialogId: live.id, filename: live.path.slice("vibey/".length), status } as const;
  const answer = side === null ? named : { ...named, message: sectionCount(dialog), side };
  return tasks.length === 0 ? answer : { ...answer, message: sectionCount(dialog), tasks };
}

function decisionsOf(given: v.InferOutput<typeof decisions> | undefined): ReadonlyMap<string, "approve" | "deny"> {
  if (given === undefined) return new Map();
  if (typeof given === "string") return parseDecisions(given);
  return new Map(given.map(({ id, approved }) => [id, approved ? "approve" : "deny"]));
}

interface HostAnswer {
  readonly host: string;
  readonly word: HostWord;
  readonly question?: string;
}

function hostAnswers(given: v.InferOutput<typeof network> | undefined): readonly HostAnswer[] {
  if (given === undefined) return [];
  if (typeof given === "string") return parseHostWords(given);
  return given.map(({ host, allow, question }) => ({
    host,
    word: allow === true ? "any method" : allow === false ? "refused" : allow,
    ...(question === undefined ? {} : { question }),
  }));
}

/** The user's settings for the network and for limits. */
function wordsOf(body: {
  readonly network?: v.InferOutput<typeof network> | undefined;
  readonly limits?: v.InferOutput<typeof dialogLimits> | undefined;
}): AuthorityChange[] {
  const { command, cost } = body.limits ?? {};
  return [
    ...hostAnswers(body.network).map(({ host, word }) => ({ host, word })),
    ...(command === undefined ? [] : [{ commandSeconds: command }]),
    ...(cost === undefined ? [] : [{ cost }]),
  ];
}

function authorityOf(given: v.InferOutput<typeof authorizations> | undefined) {
  if (given === undefined) return [];
  const all =
    typeof given === "string"
      ? [...parseAuthorizations(given)].map(([tool, word]) => ({ tool, allow: word === "allow" }))
      : given.map((tool) => ({ tool, allow: true }));
  return all.filter(({ tool }) => isToolName(tool) || isPattern(tool));
}

const noAgent = (slug = ""): Response => failure(404, `agent: there is no active agent ${slug} in vibey/`);
