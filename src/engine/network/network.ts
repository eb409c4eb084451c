import type { Files } from "../../fs/files.ts";
import type { Live } from "../dialogs/live.ts";
import type { EventBus } from "../events.ts";
import { limits } from "../../protocol/limits.ts";
import { exceeds, networkNow } from "../turn/machine/user-permissions.ts";
import type { NetAnswer, NetContext, NetRequest, Network } from "../../shell/network.ts";
import { type Address, type Reserved, readAddress } from "./address.ts";
import { approvedText } from "./approved-text.ts";
import { createConsent, decides } from "./consent.ts";
import { type Follow, originsFor } from "./follow.ts";
import { filesSent } from "./files-sent.ts";
import { requestHeaders } from "./headers.ts";
import { type Need, needOf } from "./need.ts";
import { advertisedIn } from "./negotiation.ts";
import { loopbacks } from "./private-hosts.ts";
import { redirected } from "./redirect.ts";
import type { Send, Sending } from "./send.ts";
import { blockedRedirect, crowded, hiddenRedirect, lessAllowed, refusedByHuman, shownAddress, shownProgram, unasked } from "./messages.ts";

export interface NetworkDeps {
  readonly send: Send;
  /** For redirects that a browser hides. Null: they are not followed. */
  readonly follow: Follow | null;
  /** Addresses that commands can't reach, according to the current settings. */
  readonly reserved: () => readonly Reserved[];
  /** The current dialog. Null if there is none. */
  readonly find: (dialogId: string) => Promise<Live | null>;
  /** The project's files, to name those that a request carries. */
  readonly files: Pick<Files, "list" | "readMany">;
  readonly bus: EventBus;
  readonly report: (error: unknown) => void;
}

/** The network of all dialogs' commands. */
export interface Networks {
  /** The network of one call of one dialog. */
  of(dialogId: string, callId: string): Network;
}

type Reach =
  | { readonly ok: true; readonly address: Extract<Address, { ok: true }>; readonly need: Need }
  | { readonly ok: false; readonly answer: NetAnswer };

/** A request that may need the user's permission. */
interface UserQuestion {
  readonly sending: Sending;
  readonly program: string;
  /** The address comes from a server's response. */
  readonly fromServer: boolean;
}

/** One call, while it makes requests. */
interface Asker {
  readonly dialogId: string;
  readonly callId: string;
  /** Permissions that the user answered with less. The same call doesn't ask again. */
  readonly declined: Set<string>;
  /** Names of git objects that hosts have sent, by host. */
  readonly advertised: Map<string, Set<string>>;
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * A command's request is sent only after each address, including those of redirects, was checked: commands may reach it, and the user lets this
 * dialog reach its host for such a request. That decision is in the dialog's file before anything is sent.
 */
export function createNetworks({ send, follow, reserved, find, files, bus, report }: NetworkDeps): Networks {
  const consent = createConsent(bus);

  async function make(asker: Asker, request: NetRequest, context: NetContext): Promise<NetAnswer> {
    const wrong = faultOf(request);
    if (wrong !== null) return { kind: "failed", why: wrong };
    const first = readAddress(request.url, reserved());
    if (!first.ok) return { kind: "refused", why: first.why };
    const headers = requestHeaders(request.headers, first.host);
    if (!headers.ok) return { kind: "failed", why: headers.why };
    let sending: Sending = { url: first.url.href, method: request.method, headers: headers.headers, body: request.body };
    for (let redirects = 0; ; redirects += 1) {
      const { method } = sending;
      const reached = await reach(asker, { sending, program: request.program, fromServer: redirects > 0 }, context);
      if (!reached.ok) return reached.answer;
      const { url, host } = reached.address;
      const sent = await send(sending, context.signal);
      if (sent.kind === "answer") learn(asker, host, url, sent.body);
      if (sent.kind !== "redirect") return sent;
      if (sent.location === null) {
        // A request that changes something is not sent twice.
        if (!follow || !request.follow || (method !== "GET" && method !== "HEAD")) return { kind: "failed", why: hiddenRedirect(host) };
        return followHidden(follow, asker.dialogId, sending, reached, context.signal);
      }
      if (!request.follow) return sent.answer;
      if (redirects === limits.networkRedirects) {
        return {
          kind: "failed",
          why: `too many redirects from ${host} (limit: ${limits.networkRedirects})`,
        };
      }
      const next = readAddress(sent.location, reserved(), url);
      if (!next.ok) return { kind: "refused", why: `${host} redirects, and ${next.why}; the redirect was not followed` };
      if (isThisDevice(next.url) && !isThisDevice(url)) {
        return {
          kind: "refused",
          why: `${host} redirects to ${next.host}; no other host leads a command to this device, so it was not followed`,
        };
      }
      sending = redirected(sending, sent.answer.status, next.url);
    }
  }

  /** Makes the request again in a frame where the browser limits redirects to allowed hosts. */
  async function followHidden(
    framed: Follow,
    dialogId: string,
    sending: Sending,
    { address: { url, host }, need }: Extract<Reach, { ok: true }>,
    signal: AbortSignal,
  ): Promise<NetAnswer> {
    const live = await find(dialogId);
    // The headers go to every redirect target, so each of these hosts must be allowed to get them.
    const allowed = [...(live ? networkNow(live.state) : [])].flatMap(([name, word]) => (exceeds(need.needs, word) ? [] : [name]));
    const origins = originsFor(sending, url, allowed, reserved());
    if (!allowed.includes(host) || !origins.includes(url.origin)) return { kind: "failed", why: hiddenRedirect(host) };
    const followed = await framed(sending, origins, signal);
    if (followed.kind === "blocked") return { kind: "failed", why: blockedRedirect(host) };
    return followed;
  }

  /** Remembers a host's git references: asking that host for them reveals nothing new. */
  function learn({ advertised }: Asker, host: string, url: URL, body: Uint8Array): void {
    if (!url.pathname.endsWith("/info/refs")) return;
    const told = advertised.get(host) ?? new Set();
    for (const oid of advertisedIn(body)) told.add(oid);
    advertised.set(host, told);
  }

  /** Asks the user if there is no decision yet. After each wait, everything is checked again. */
  async function reach(asker: Asker, { sending, program, fromServer }: UserQuestion, context: NetContext): Promise<Reach> {
    const { dialogId, callId, declined } = asker;
    const { signal } = context;
    for (;;) {
      if (signal.aborted) return refused("the request was stopped");
      const live = await find(dialogId);
      const address = readAddress(sending.url, reserved());
      if (!address.ok) return refused(address.why);
      if (!live) return refused("the dialog is gone");
      const { host, url } = address;
      const advertised = asker.advertised.get(host) ?? new Set<string>();
      const need = needOf(sending, { text: approvedText(live.state.dialog, callId), fromServer, advertised });
      const now = networkNow(live.state).get(host) ?? null;
      if (now === "refused") return refused(refusedByHuman(host));
      if (now !== null && !exceeds(need.needs, now))
        return signal.aborted ? refused("the request was stopped") : { ok: true, address, need };
      const key = `${host} ${need.needs}`;
      if (declined.has(key) || decides(now ?? undefined, need.needs)) return refused(lessAllowed(host, need.needs));
      const { method } = sending;
      const about = { host, program: shownProgram(program), method, url: shownAddress(url.href) };
      const named = await filesSent(sending.body, files);
      context.waitsForHuman(true);
      const asked = await consent
        .ask(live, callId, { ...about, ...need, now, files: named }, signal)
        .finally(() => context.waitsForHuman(false));
      if (asked === "less") declined.add(key);
      if (asked === "stopped") return refused(`the command was stopped before the user answered about ${host}`);
      if (asked === "nowhere") return refused(unasked(host, need.needs));
      if (asked === "crowded") return refused(crowded(host));
    }
  }

  return {
    of(dialogId, callId) {
      const asker: Asker = { dialogId, callId, declined: new Set(), advertised: new Map() };
      return async (request, context) => {
        try {
          return await make(asker, request, context);
        } catch (error) {
          report(error);
          return { kind: "failed", why: `Vibey failed: ${error instanceof Error ? error.message : String(error)}` };
        }
      };
    },
  };
}

function faultOf({ method, body }: NetRequest): string | null {
  if (!methods.has(method)) return `the method ${JSON.stringify(method.slice(0, 20))} can't be used; there are ${[...methods].join(" ")}`;
  if (body === null) return null;
  if (method === "GET" || method === "HEAD") return `browsers can't send a body with ${method}`;
  if (body.length > limits.networkRequestBytes) {
    return `the request has ${body.length} bytes; at most ${limits.networkRequestBytes / 1_000_000} MB can be sent at once`;
  }
  return null;
}

function refused(why: string): Extract<Reach, { ok: false }> {
  return { ok: false, answer: { kind: "refused", why } };
}

function isThisDevice({ hostname }: URL): boolean {
  return loopbacks.includes(hostname);
}
