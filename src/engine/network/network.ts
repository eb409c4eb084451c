import type { Live } from "../dialogs/live.ts";
import type { EventBus } from "../events.ts";
import { limits } from "../limits.ts";
import { networkNow } from "../machine/words.ts";
import type { NetAnswer, NetContext, NetRequest, Network } from "../sandbox/network.ts";
import { type Address, type Reserved, readAddress } from "./address.ts";
import { createConsent } from "./consent.ts";
import { type Follow, originsFor } from "./follow.ts";
import { requestHeaders } from "./headers.ts";
import { loopbacks } from "./private-hosts.ts";
import { redirected } from "./redirect.ts";
import type { Send, Sending } from "./send.ts";
import { blockedRedirect, crowded, hiddenRedirect, refusedByHuman, shownAddress, shownProgram, unasked } from "./words.ts";

export interface NetworkDeps {
  readonly send: Send;
  /** For redirects that a browser hides; null: they are not followed. */
  readonly follow: Follow | null;
  /** Where no command goes, as the settings are now. */
  readonly reserved: () => readonly Reserved[];
  /** The dialog as it is now; null when there is none. */
  readonly find: (dialogId: string) => Promise<Live | null>;
  readonly bus: EventBus;
  readonly report: (error: unknown) => void;
}

/** The network of the commands of all dialogs. */
export interface Networks {
  /** The network of one call of one dialog. */
  of(dialogId: string, callId: string): Network;
}

type Reach = { readonly ok: true; readonly address: Extract<Address, { ok: true }> } | { readonly ok: false; readonly answer: NetAnswer };

/** What is asked of the human. */
type Wanted = Pick<NetRequest, "url" | "method" | "program">;

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * What commands send goes out only after each address, that of a redirect too, was found to be one that commands may reach, and one whose
 * host the human let this dialog reach; that word stands in the dialog's file before anything is sent.
 */
export function createNetworks({ send, follow, reserved, find, bus, report }: NetworkDeps): Networks {
  const consent = createConsent(bus);

  async function make(dialogId: string, callId: string, request: NetRequest, context: NetContext): Promise<NetAnswer> {
    const wrong = faultOf(request);
    if (wrong !== null) return { kind: "failed", why: wrong };
    const first = readAddress(request.url, reserved());
    if (!first.ok) return { kind: "refused", why: first.why };
    const headers = requestHeaders(request.headers, first.host);
    if (!headers.ok) return { kind: "failed", why: headers.why };
    let sending: Sending = { url: first.url.href, method: request.method, headers: headers.headers, body: request.body };
    for (let redirects = 0; ; redirects += 1) {
      const { url: target, method } = sending;
      const reached = await reach(dialogId, callId, { url: target, method, program: request.program }, context);
      if (!reached.ok) return reached.answer;
      const { url, host } = reached.address;
      const sent = await send(sending, context.signal);
      if (sent.kind !== "redirect") return sent;
      if (sent.location === null) {
        // What changes something is not sent twice.
        if (!follow || !request.follow || (method !== "GET" && method !== "HEAD")) return { kind: "failed", why: hiddenRedirect(host) };
        return followHidden(follow, dialogId, sending, reached.address, context.signal);
      }
      if (!request.follow) return sent.answer;
      if (redirects === limits.networkRedirects) {
        return {
          kind: "failed",
          why: `${host} redirects once more, after ${limits.networkRedirects} redirects, the most that are followed`,
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

  /** Makes the request again, where the browser keeps its redirects to hosts that may be reached. */
  async function followHidden(
    framed: Follow,
    dialogId: string,
    sending: Sending,
    { url, host }: Extract<Address, { ok: true }>,
    signal: AbortSignal,
  ): Promise<NetAnswer> {
    const live = await find(dialogId);
    const allowed = [...(live ? networkNow(live.state) : [])].flatMap(([name, isAllowed]) => (isAllowed ? [name] : []));
    const origins = originsFor(sending, url, allowed, reserved());
    if (!allowed.includes(host) || !origins.includes(url.origin)) return { kind: "failed", why: hiddenRedirect(host) };
    const followed = await framed(sending, origins, signal);
    if (followed.kind === "blocked") return { kind: "failed", why: blockedRedirect(host) };
    return followed;
  }

  /** Asks the human when nobody has yet. What held before a wait is looked at again after it. */
  async function reach(dialogId: string, callId: string, { url: target, method, program }: Wanted, context: NetContext): Promise<Reach> {
    const { signal } = context;
    for (;;) {
      if (signal.aborted) return refused("the request was stopped");
      const live = await find(dialogId);
      const address = readAddress(target, reserved());
      if (!address.ok) return refused(address.why);
      if (!live) return refused("the dialog is gone");
      const { host, url } = address;
      const allowed = networkNow(live.state).get(host);
      if (allowed === true) return signal.aborted ? refused("the request was stopped") : { ok: true, address };
      if (allowed === false) return refused(refusedByHuman(host));
      context.waitsForHuman(true);
      const asked = await consent
        .ask(live, callId, { host, program: shownProgram(program), method, url: shownAddress(url.href) }, signal)
        .finally(() => context.waitsForHuman(false));
      if (asked === "stopped") return refused(`the human was asked about ${host}, and the command was stopped before there was an answer`);
      if (asked === "nowhere") return refused(unasked(host));
      if (asked === "crowded") return refused(crowded(host));
    }
  }

  return {
    of: (dialogId, callId) => async (request, context) => {
      try {
        return await make(dialogId, callId, request, context);
      } catch (error) {
        report(error);
        return { kind: "failed", why: `Vibey failed: ${error instanceof Error ? error.message : String(error)}` };
      }
    },
  };
}

function faultOf({ method, body }: NetRequest): string | null {
  if (!methods.has(method)) return `the method ${JSON.stringify(method.slice(0, 20))} can't be used; there are ${[...methods].join(" ")}`;
  if (body === null) return null;
  if (method === "GET" || method === "HEAD") return `a browser sends no body with ${method}`;
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
