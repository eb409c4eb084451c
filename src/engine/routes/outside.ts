import * as v from "valibot";
import type { AgentKeyAnswer, AgentKeysAnswer, LegacyFrame, MessagesAnswer, RegisterBody, RegisteredAgent } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { parseJson, isJsonObject } from "../../dialog/json.ts";
import type { JsonObject } from "../../dialog/model.ts";
import { listDialogs } from "../dialogs/open.ts";
import { normalized } from "../outside/adapters/index.ts";
import { keyInHeaders } from "../outside/agent-key.ts";
import { isRaw, objectIn, readEvent, textIn, unrecognized } from "../outside/event.ts";
import { hookAgents } from "../outside/hook-agents.ts";
import { takeHook } from "../outside/hooks.ts";
import { createExternalAgents, type ExternalAgents } from "../outside/external-agents.ts";
import type { Given } from "../outside/mail-delivery.ts";
import type { RecordRefusal } from "../outside/records.ts";
import type { FoundRecord } from "../outside/find-records.ts";
import { createAgentKeys, openKey } from "../outside/keys.ts";
import { legacyEvent, legacyHistory, legacyReply, legacySessions, legacyStats } from "../outside/legacy.ts";
import { failure, json } from "./answers.ts";
import { nonEmpty, readBody } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { readOutsideBody, readOutsideBytes, refuse, refuseTooMany } from "./outside-body.ts";
import { answerLater, createOpenAnswers } from "./outside-later.ts";
import { type Call, createRoutes, type Fetch, type Handler, route } from "./route.ts";
import { boundedStream } from "./sse.ts";

/** Only the bridge sets this header, and it removes it from incoming requests: agents on this machine need no key. */
const openAgents = "x-vibey-open-agents";
/** Set if the path contained the key. */
const pathKey = "x-vibey-path-key";

type OutsideContext = Pick<RouteContext, "files" | "store" | "agents" | "bus" | "agentKeys" | "now" | "later">;

/**
 * The routes for agents outside Vibey, which report their steps here and ask the user. Each request needs an agent key, which opens only the
 * records that this key created.
 */
export function outsideRoutes(context: OutsideContext, report: (error: unknown) => void): Fetch {
  const agents = createRoutes(report);
  agents.mistake = refuse;
  const { files, store, bus, now, later } = context;
  const keys = createAgentKeys(context.agentKeys, now);
  const open = createOpenAnswers();
  let made: Promise<ExternalAgents> | null = null;
  const external = (): Promise<ExternalAgents> =>
    (made ??= context.agents().then(
      ({ dialogs, asks }) => createExternalAgents({ dialogs, asks, files, store, bus, now, report }),
      (error: unknown) => {
        made = null;
        throw error;
      },
    ));

  /** A handler that gets the id of the agent's key. */
  const withKey =
    (handle: (key: string, call: Call) => Promise<Response>): Handler =>
    async (call) => {
      const { headers } = call.request;
      const key = headers.get(pathKey) ?? keyInHeaders(headers);
      const id = key === null ? null : await keys.check(key);
      if (id !== null) return handle(id, call);
      if (key === null && headers.get(openAgents) === "1") return handle(openKey, call);
      return refuse(401, key === null ? "An agent key is needed: make one under Settings, Agents outside" : noKey);
    };

  /** A handler that gets the records of the key. */
  const withOwn = (handle: (own: readonly FoundRecord[], key: string, call: Call) => Response | Promise<Response>): Handler =>
    withKey(async (key, call) => {
      const own = await (await external()).records(key);
      return own === null ? tooManyReads() : handle(own, key, call);
    });

  const laterParts = (key: string, { request }: Call, ms: number) =>
    ({ key, open, signal: request.signal, later, ms, type: "application/json" }) as const;

  const takeAll = async (key: string, events: readonly unknown[]): Promise<Response> => {
    const warnings: string[] = [];
    for (const raw of events) {
      const read = readEvent(raw, now(), () => crypto.randomUUID());
      if (!read.ok) return refuse(400, read.error);
      warnings.push(...read.warnings);
      const taken = await (await external()).ingest(key, read.event, read.named);
      if (!taken.ok) return refused(taken.refusal);
    }
    return json(warnings.length === 0 ? { ok: true } : { ok: true, warnings });
  };

  route(agents, "/v2/agents/register", {
    POST: withKey(async (key, { request }) => {
      const body = await readOutsideBody(request);
      if (!body.ok) return body.answer;
      const wanted = registration(body.value);
      if (wanted === null) return refuse(400, "name and framework are required");
      const agentId = crypto.randomUUID();
      const done = await (await external()).register(key, { ...wanted, agentId });
      if (!done.ok) return refused(done.refusal);
      const agent: RegisteredAgent = { agentId, ...wanted, registeredAt: now().getTime() };
      return json({ ok: true, agent }, 201);
    }),
  });

  route(agents, "/v2/agents", {
    GET: withOwn(async (own) => json({ ok: true, agents: own.map(registered) })),
  });

  route(agents, "/v2/messages", {
    GET: withKey(async (key, call) => {
      const { url } = call;
      const [agentId, framework] = [url.searchParams.get("agentId") ?? "", url.searchParams.get("source") ?? ""];
      if (agentId.trim() === "" || agentId.length > 200 || framework.length > 100) return refuse(400, "agentId is required");
      const there = await external();
      if ((await there.find(key, agentId)) === null) return refuse(404, "This agent has no record");
      const caller = { agentId, framework: framework.trim() || "agent" };
      if (url.searchParams.get("wait") !== "1") return json(told(await there.mail.collect(key, caller, { messages: true, stop: true })));
      return answerLater(laterParts(key, call, limits.outsideWaitMs), async (signal) =>
        JSON.stringify(told(await there.mail.wait(key, caller, signal))),
      );
    }),
  });

  route(agents, "/v2/event", {
    POST: withKey(async (key, { request }) => {
      const body = await readOutsideBody(request);
      return body.ok ? takeAll(key, [body.value]) : body.answer;
    }),
  });

  route(agents, "/event", {
    POST: withKey(async (key, { request }) => {
      const body = await readOutsideBody(request);
      if (!body.ok) return body.answer;
      const events = isRaw(body.value) ? normalized(body.value) : null;
      return events === null ? refuse(400, unrecognized) : takeAll(key, events);
    }),
  });

  route(agents, "/hooks/:agent", {
    POST: withKey(async (key, call) => {
      const { request, url, param } = call;
      const agent = hookAgents.find((one) => one === param("agent"));
      if (agent === undefined) return refuse(404, `Expected one of ${hookAgents.join(", ")}`);
      const body = await readOutsideBody(request);
      if (!body.ok) return body.answer;
      if (!isRaw(body.value)) return refuse(400, unrecognized);
      const there = await external();
      const mode = url.searchParams.get("wait") === "1" ? "wait" : url.searchParams.get("tell") === "1" ? "tell" : "ask";
      const answer = await takeHook({ agent, raw: body.value, mode }, there, key, now);
      switch (answer.kind) {
        case "unknown":
          return refuse(400, unrecognized);
        case "now":
          return json(answer.body);
        case "wait":
          return answerLater({ ...laterParts(key, call, limits.outsideWaitMs), type: answer.type }, async (signal) =>
            answer.answer(await there.mail.wait(key, answer.caller, signal)),
          );
        case "later":
          return answerLater(laterParts(key, call, limits.outsideAskMs), async (signal) =>
            JSON.stringify(answer.answer(await there.ask(key, { ...answer.question, signal }))),
          );
      }
    }),
  });

  route(agents, "/v2/stream", {
    GET: withKey(async (key) => {
      const { sink, response } = boundedStream<LegacyFrame>(() => stop());
      const there = await external();
      /** Events during the reading of the records, which may include them already. Null once they are read. */
      let meanwhile: JsonObject[] | null = [];
      const left = there.listen(key, (event) => {
        if (meanwhile) meanwhile.push(legacyEvent(event));
        else sink.send({ type: "event", payload: legacyEvent(event) });
      });
      if (left === null) return refuseTooMany(`Expected at most ${limits.outsideStreams} streams of an agent key`, 10);
      const forget = open.add(key, () => {
        sink.end();
        stop();
      });
      const stop = () => {
        left();
        forget();
      };
      const read = async () => {
        const own = await there.records(key);
        return own && { own, sessions: legacySessions(own, await listDialogs(files)), history: legacyHistory(own) };
      };
      const found = await read().catch((error: unknown) => {
        stop();
        throw error;
      });
      if (found === null) {
        stop();
        return tooManyReads();
      }
      const { own, sessions, history } = found;
      sink.start([
        { type: "connected", payload: { sessionId: own[0]?.agent.session ?? "" } },
        { type: "sessions", payload: sessions },
        { type: "history", payload: history },
      ]);
      const known = new Set(history.map((event) => event["id"]));
      for (const event of meanwhile) if (!known.has(event["id"])) sink.send({ type: "event", payload: event });
      meanwhile = null;
      return response();
    }),
    POST: withKey(async (key, { request }) => {
      const body = await readOutsideBody(request);
      if (!body.ok) return body.answer;
      const reply = await legacyReply(body.value, async () => (await external()).records(key));
      return reply === "too-fast" ? tooManyReads() : json(reply);
    }),
  });
  route(agents, "/health", { GET: () => json({ ok: true, status: "ok" }) });
  route(agents, "/stats", { GET: withOwn((own) => json({ ok: true, ...legacyStats(own) })) });
  route(agents, "/sessions", {
    GET: withOwn(async (own) => json({ ok: true, sessions: legacySessions(own, await listDialogs(files)) })),
  });

  /** The key is in the path, for clients that accept only an address. */
  const inPath: Handler = async ({ request, url, param }) => {
    const path = `/${param("rest")}`;
    const key = param("key");
    if (!agentPaths.test(path)) return refuse(401, "An agent key opens /v2, /event and /hooks alone");
    if (!isKeyText(key)) return refuse(401, noKey);
    const headers = new Headers(request.headers);
    headers.set(pathKey, key);
    const target = new URL(path + url.search, url.origin);
    const { method, signal } = request;
    if (method === "GET" || method === "HEAD") return agents.fetch(new Request(target, { method, headers, signal }));
    const body = await readOutsideBytes(request);
    return body.ok ? agents.fetch(new Request(target, { method, headers, body: body.bytes, signal })) : body.answer;
  };
  // The user's own routes must not be reachable by a path with a key.
  const app = createRoutes(report);
  app.missing = agents.fetch;
  route(app, "/k/:key/:rest{.+}", { GET: inPath, POST: inPath });

  route(app, "/outside/keys", {
    GET: async () => json({ keys: await keys.list() } satisfies AgentKeysAnswer),
    POST: async ({ request }) => {
      const parsed = await readBody(request, keyBody);
      if (!parsed.ok) return parsed.answer;
      const key = await keys.make(parsed.value.name);
      if (key === null) return failure(409, `There are ${limits.agentKeys} agent keys already. Revoke one first.`);
      return json({ ...key, keys: await keys.list() } satisfies AgentKeyAnswer, 201);
    },
  });
  route(app, "/outside/keys/:id", {
    DELETE: async ({ param }) => {
      const id = param("id");
      if (!(await keys.revoke(id))) return failure(404, "There is no such agent key");
      // Open answers of the key end now.
      open.end(id);
      return json({ keys: await keys.list() } satisfies AgentKeysAnswer);
    },
  });

  return (request) => {
    // Only the path may set the path's key.
    if (!request.headers.has(pathKey)) return app.fetch(request);
    const headers = new Headers(request.headers);
    headers.delete(pathKey);
    return app.fetch(new Request(request, { headers }));
  };
}

const agentPaths = /^\/(?:v2\/(?:agents|agents\/register|event|messages|stream)|event|hooks\/[a-z-]+|health|stats|sessions)$/;
/** Whether a header can hold the key. */
const isKeyText = (key: string): boolean => /^[!-~]+$/.test(key);
const noKey = "This agent key is none, or was revoked";
const tooManyReads = (): Response => refuseTooMany(`Expected at most ${limits.outsideReads} readings in 10 seconds`, 10);

/** The user's messages for an agent, as `GET /v2/messages` answers them. */
const told = ({ messages, stop }: Given): MessagesAnswer => ({ ok: true, messages, stop });

const keyBody = v.object({
  name: v.pipe(
    v.string("expected text"),
    v.trim(),
    nonEmpty,
    v.maxLength(limits.agentKeyName, `expected at most ${limits.agentKeyName} characters`),
  ),
});

function registration(body: unknown): RegisterBody | null {
  if (!isRaw(body)) return null;
  const [name, framework, cwd, metadata] = [
    textIn(body, "name"),
    textIn(body, "framework"),
    textIn(body, "cwd"),
    objectIn(body, "metadata"),
  ];
  if (!name?.trim() || !framework?.trim() || framework.length > 100 || name.length > 200) return null;
  return { name, framework, ...(cwd === undefined ? {} : { cwd }), ...(metadata === undefined ? {} : { metadata }) };
}

function registered({ agent, dialog }: FoundRecord): RegisteredAgent {
  const started = dialog.head.findLast(({ key }) => key === "Started")?.value ?? "";
  const [first] = dialog.parts;
  const metadata = first?.kind === "text" ? parseJson(first.text) : undefined;
  return {
    agentId: agent.session,
    name: agent.name ?? agent.framework,
    framework: agent.framework,
    registeredAt: Date.parse(started) || 0,
    ...(agent.cwd === null ? {} : { cwd: agent.cwd }),
    ...(isJsonObject(metadata) ? { metadata } : {}),
  };
}

function refused(refusal: RecordRefusal): Response {
  switch (refusal.kind) {
    case "too-fast":
      return refuseTooMany(`Expected at most ${limits.outsideRate} events a second from an agent`, 1);
    case "too-many-records":
      return refuseTooMany(`Expected at most ${limits.outsideRecords} new agents an hour`, 3_600);
    case "record-full":
      return refuse(507, `The record of this agent is full (${limits.outsideRecord} characters)`);
    case "storage":
      // The same event may be stored later, unlike one for a full record.
      return refuse(507, refusal.message, { "retry-after": "5" });
  }
}
