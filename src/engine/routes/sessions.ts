import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { isOwnFormat } from "../../dialog/agent.ts";
import { isDialogId } from "../../dialog/name.ts";
import { messageKey } from "../../dialog/message-key.ts";
import { isRecord } from "../../dialog/outside.ts";
import type { DialogListing, SessionDetail, SessionItem, SessionMessage, SessionState, SessionStatus } from "../../protocol/index.ts";
import { StorageError } from "../../fs/storage-error.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import { emptyPut, type PutRefusal } from "../dialogs/outcome.ts";
import type { Live } from "../dialogs/live.ts";
import { readOutsideId, networkId } from "../sessions/call-id.ts";
import { createClosed } from "../sessions/closed.ts";
import { firstFrames } from "../sessions/backlog.ts";
import { createSessionChannels, framesFor, hostRequest } from "../sessions/channel.ts";
import { followSession } from "../sessions/follow.ts";
import { openOutsideQuestion } from "../sessions/outside-question.ts";
import { sessionFacts, sessionItem } from "../sessions/item.ts";
import { isEnded, openQuestion, sessionState, statusOf, statusOfLive } from "../sessions/status.ts";
import { createSummaries } from "../sessions/summaries.ts";
import type { Position } from "../log/log.ts";
import { callHash } from "../projections/view.ts";
import { askedCalls, isAsked, lastCalls } from "../turn/machine/queries.ts";
import { json } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { refusalAnswer } from "./error-responses.ts";
import { type Call, createRoutes, type Fetch, type Handler, route } from "./route.ts";
import { approveBody, detail, messageBody, readDetailed, spawnBody } from "./session-bodies.ts";
import { pulledStream } from "./sse.ts";
import { withPsk } from "./with-psk.ts";

/** The maximum number of sessions per answer, if a limit is given. */
const mostInPage = 500;

type SessionRouteContext = Pick<RouteContext, "agents" | "files" | "providers" | "gateway" | "log" | "later" | "now">;

/** The API for a phone, or any program with the key: what is running, what waits for the user, and the user's decisions. */
export function sessionRoutes(context: SessionRouteContext, report: (error: unknown) => void): Fetch {
  const app = createRoutes(report);
  app.mistake = detail;
  const summaryOf = createSummaries(context.files);
  const closed = createClosed();
  const channels = createSessionChannels(closed, context.now);
  const dialogs = async () => (await context.agents()).dialogs;

  const withKey = withPsk(context);

  /** A handler that gets a session, which the engine opens for the request. */
  const withSession = (answer: (live: Live, call: Call, all: Dialogs) => Response | Promise<Response>): Handler =>
    withKey(async (call) => {
      const all = await dialogs();
      const live = await all.get(call.param("id"));
      return live ? answer(live, call, all) : detail(404, "Session not found");
    });

  route(app, "/api/health", { GET: () => json({ status: "ok" }) });

  route(app, "/api/state", {
    GET: withKey(async () => {
      const all = await dialogs();
      const found = (await all.list("all")).map((one) => statusIn(all, one).status);
      const count = (...wanted: readonly SessionStatus[]) => found.filter((status) => wanted.includes(status)).length;
      return json({
        total: found.length,
        running: count("running"),
        waiting: count("waiting_approval", "waiting_input"),
        idle: count("idle"),
      });
    }),
  });

  route(app, "/api/sessions", {
    GET: withKey(async ({ url }) => {
      const limit = readCount(url.searchParams.get("limit"));
      if (limit === null) return detail(422, `limit: expected a number from 1 to ${mostInPage}`);
      const before = url.searchParams.get("before");
      if (before !== null && !isDialogId(before)) return detail(422, "before: expected the id of a session");
      const all = await dialogs();
      // Sorted by id, which begins with the creation time. So changes in the meantime can't move a session to another page.
      const listed = (await all.list("all")).toSorted((one, other) => (one.dialogId < other.dialogId ? 1 : -1));
      const wanted = before === null ? listed : listed.filter(({ dialogId }) => dialogId < before);
      const items: SessionItem[] = [];
      for (const one of wanted.slice(0, limit)) items.push(await itemOf(all, one));
      return json(items);
    }),
    POST: withKey(async ({ request }) => {
      const body = await readDetailed(request, spawnBody);
      if (!body.ok) return body.answer;
      const { session_id: id, message = null, slug = "" } = body.value;
      const { providers } = context;
      const provider = body.value.provider ?? providers.names.find((name) => providers.answer(name)?.configured === true) ?? "";
      if (providers.provider(provider) === null) return detail(422, `provider: expected one of ${providers.names.join(", ")}`);
      const model = body.value.model ?? providers.defaultModel(provider) ?? "";
      const all = await dialogs();
      const wanted = { provider, model, slug, prompt: message, launchedBy: null, mentions: null, ...(id === undefined ? {} : { id }) };
      const done = await all.create(wanted);
      return done.ok ? json(await itemOfLive(all, done.value), 201) : refused(done.refusal);
    }),
  });

  route(app, "/api/sessions/:id", {
    GET: withSession(async (live, _, all) => {
      const { frames } = firstFrames(framesFor(live, await continued(all, live)), null, await positions());
      const asked = hostRequest(live, context.now());
      const backlog = [...frames.map(({ frame }) => frame), ...(asked === null ? [] : [asked])];
      return json({ ...(await itemOfLive(all, live)), ...sessionState(live, closed), backlog } satisfies SessionDetail);
    }),
    DELETE: withSession(async (live, _, all) => {
      const { dialog } = live.state;
      const told = (code: number) => json({ session_id: live.id, status: statusOfLive(live, closed).status }, code);
      if (isEnded(dialog, live.state.status)) return told(200);
      if (isRecord(dialog)) {
        // The agent runs elsewhere and learns about the stop with its next step.
        const asked = await all.setStatus(live.id, "waiting");
        return asked.ok ? told(202) : refused(asked.refusal);
      }
      const done = await all.setStatus(live.id, "done");
      if (!done.ok) return refused(done.refusal);
      closed.close(live.id);
      return json({ session_id: live.id, status: statusOfLive(done.value, closed).status });
    }),
  });

  route(app, "/api/sessions/:id/state", { GET: withSession((live) => json(sessionState(live, closed) satisfies SessionState)) });

  route(app, "/api/sessions/:id/approve", {
    POST: withSession(async (live, { request }, all) => {
      const body = await readDetailed(request, approveBody);
      if (!body.ok) return body.answer;
      const { id, approved, edited_args: edited = null, hash: apart = null } = body.value;
      const none = () => detail(404, `No pending approval for tool_call_id=${id}`);
      const question = openQuestion(live);
      if (question !== null && id === networkId(question.callId, question.ask.question)) {
        if (edited !== null && approved) return detail(422, "edited_args: a question about a host has no arguments to change");
        const { host, needs, question: name } = question.ask;
        const said = { host, word: approved ? needs : ("refused" as const) };
        return stored(await all.put(live.id, { ...emptyPut, authority: [said], questions: new Map([[host, name]]) }), none);
      }
      const named = readOutsideId(id);
      const { dialog, status } = live.state;
      // A closed session can be continued, and before that its calls must be decided. An outside agent that has ended waits for nothing.
      const pending = status === "done" && !isRecord(dialog) ? lastCalls(dialog).filter(isAsked) : askedCalls(live.state);
      const call = pending.find((one) => one.id === id) ?? pending.find((one) => one.id === named.call);
      if (!call) return none();
      const now = callHash(call);
      const shown = call.id === id ? apart : (apart ?? named.hash);
      if (shown === null && approved)
        return detail(422, "tool_call_id: expected as it was given out, or hash beside it: an approval is for what was shown");
      if ((shown !== null && !now.startsWith(shown)) || (call.id !== id && named.hash !== null && !now.startsWith(named.hash)))
        return detail(409, "The request changed after it was shown. Nothing was run.");
      return stored(
        await all.put(live.id, {
          ...emptyPut,
          decisions: new Map([[call.id, approved ? "approve" : "deny"]]),
          hashes: new Map([[call.id, now]]),
          ...(edited === null || !approved ? {} : { changes: new Map([[call.id, edited]]) }),
        }),
        none,
      );
    }),
  });

  route(app, "/api/sessions/:id/input", {
    POST: withSession(async (live, { request }, all) => {
      const body = await readDetailed(request, messageBody);
      if (!body.ok) return body.answer;
      const { text, request_id: id = null } = body.value;
      const [open] = sessionState(live, closed).pending_input;
      if (open === undefined) return detail(404, "No pending input request");
      if (id !== null && id !== open) return detail(409, "Another question is open than the one that this answers. Nothing was stored.");
      const outside = openOutsideQuestion(live.state.dialog);
      if (outside !== null) {
        const call = outside.call.id;
        return stored(
          await all.put(live.id, {
            ...emptyPut,
            decisions: new Map([[call, "approve"]]),
            hashes: new Map([[call, callHash(outside.call)]]),
            changes: new Map([[call, outside.question.answered(text)]]),
          }),
          () => detail(404, "No pending input request"),
        );
      }
      const done = await all.put(live.id, { ...emptyPut, prompt: text, ...keyOf(request, text) });
      return done.ok ? json({ status: "ok" }) : refused(done.refusal);
    }),
  });

  route(app, "/api/sessions/:id/message", {
    POST: withSession(async (live, { request }, all) => {
      const body = await readDetailed(request, messageBody);
      if (!body.ok) return body.answer;
      if (!isOwnFormat(live.state.dialog.format) && !isRecord(live.state.dialog))
        return detail(503, "This session is only shown here; no message reaches its agent");
      const { text } = body.value;
      const done = await all.put(live.id, { ...emptyPut, prompt: text, ...keyOf(request, text) });
      if (!done.ok) return refused(done.refusal);
      closed.reopen(live.id);
      return json({ status: "queued" });
    }),
  });

  const noPush = withKey(() => detail(501, "This Vibey sends no push messages"));
  route(app, "/api/push/vapid-key", { GET: noPush });
  route(app, "/api/push/subscribe", { POST: noPush });
  route(app, "/api/push/unsubscribe", { POST: noPush });

  route(app, "/ws/events/:id", {
    GET: withSession(async (live, { url, request }, all) => {
      const left = new AbortController();
      const options = {
        // A browser's EventSource sends the id of its last event automatically.
        since: request.headers.get("last-event-id") ?? url.searchParams.get("since"),
        positions: await positions(),
        deltas: url.searchParams.get("deltas") === "1",
        later: context.later,
        now: context.now,
      };
      const channel = channels.of(live, await continued(all, live));
      return pulledStream(followSession(channel, options, left.signal), () => left.abort(), eventId);
    }),
  });

  /** The positions of the log, an array that grows with it. Null if the log can't be read. */
  async function positions(): Promise<readonly Position[] | null> {
    try {
      return (await context.log.open()).positions;
    } catch (error) {
      if (error instanceof StorageError) return null;
      throw error;
    }
  }

  async function itemOf(all: Dialogs, listing: DialogListing): Promise<SessionItem> {
    const open = all.peek(listing.dialogId);
    return sessionItem(listing, open === null ? await summaryOf(listing) : sessionFacts(open), statusIn(all, listing));
  }

  async function itemOfLive(all: Dialogs, live: Live): Promise<SessionItem> {
    const listing = (await all.list()).find(({ dialogId }) => dialogId === live.id);
    const facts = { dialogId: live.id, status: live.state.status, mtime: listing?.mtime ?? context.now().getTime() };
    return sessionItem(facts, sessionFacts(live.state.dialog), statusOfLive(live, closed));
  }

  function statusIn(all: Dialogs, listing: DialogListing) {
    if (listing.status === "done" && closed.has(listing.dialogId)) return { status: "disconnected" } as const;
    const dialog = all.peek(listing.dialogId);
    return dialog !== null && isEnded(dialog, listing.status) ? ({ status: "disconnected" } as const) : statusOf(listing, dialog !== null);
  }

  return app.fetch;
}

/** The dialog that this one continues. */
async function continued(all: Dialogs, live: Live): Promise<Live | null> {
  const from = live.state.dialog.head.find(({ key }) => key === "Continued from")?.value;
  return from === undefined ? null : all.get(from);
}

/** The id from which a stream can be resumed. Null if the message has none. */
const eventId = (message: SessionMessage): string | null => ("id" in message ? message.id : null);

/** The message's key, with the same length whatever the caller sends. */
function keyOf(request: Request, text: string): { readonly key?: string } {
  const key = request.headers.get("idempotency-key");
  return key === null || key === "" ? {} : { key: messageKey(shortHash(key), shortHash(text)) };
}

const shortHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text))).slice(0, 32);

function stored(done: Awaited<ReturnType<Dialogs["put"]>>, none: () => Response): Response | Promise<Response> {
  if (done.ok) return json({ status: "ok" });
  // Someone else was faster.
  return done.refusal.kind === "decided" || done.refusal.kind === "question" || done.refusal.kind === "settled"
    ? none()
    : refused(done.refusal);
}

/** A refusal with the same text as on a screen. */
async function refused(refusal: PutRefusal): Promise<Response> {
  const answer = refusalAnswer(refusal);
  const said: unknown = await answer.json();
  const why = typeof said === "object" && said !== null && "error" in said ? String(said.error) : "Not done";
  return detail(refusal.kind === "format" ? 503 : answer.status, why);
}

/** Null if it isn't a valid number. */
function readCount(given: string | null): number | null {
  if (given === null) return Infinity;
  const count = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  return count >= 1 && count <= mostInPage ? count : null;
}
