import { networkInterfaces } from "node:os";
import { parseArgs } from "node:util";
import type { Tls } from "./certificate.ts";

/** The options with which the bridge starts. */
export interface Config {
  readonly psk: string;
  /** The address on which the bridge listens. */
  readonly host: string;
  /** The port for the phone API and the app. 0: any free port. */
  readonly port: number;
  /** The port for agents outside. 0: any free port. */
  readonly agentPort: number;
  /** Origins of pages that may connect, besides the bridge's own. */
  readonly origins: readonly string[];
  /** Host names that requests may use. */
  readonly hosts: readonly string[];
  /** Agents outside on this machine need no key. */
  readonly openAgents: boolean;
  /** Files of a certificate and its key. Null: no TLS. */
  readonly certificate: Tls | null;
  /** The folder of the user's own adapters. Null: the default folder. */
  readonly adapters: string | null;
  /** Where Mistral Vibe writes its sessions, and the agent key for reporting them. Null: they aren't reported. */
  readonly vibe: { readonly folder: string; readonly key: string | null } | null;
}

export type ConfigRead =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** The minimum length of a key that may be used over a network. */
const longEnough = 16;

const usualOrigins = ["http://localhost:3001", "http://127.0.0.1:3001"];
const loopback = ["localhost", "127.0.0.1", "::1"];

export function readConfig(env: Readonly<Record<string, string | undefined>>, args: readonly string[]): ConfigRead {
  let given;
  try {
    given = parseArgs({
      args: [...args],
      options: {
        lan: { type: "boolean", default: false },
        port: { type: "string", default: "7870" },
        "agent-port": { type: "string", default: "4003" },
        origin: { type: "string", multiple: true, default: [] },
        host: { type: "string", multiple: true, default: [] },
        cert: { type: "string" },
        key: { type: "string" },
        "open-agents": { type: "boolean", default: false },
        adapters: { type: "string" },
        vibe: { type: "string" },
      },
    }).values;
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
  const psk = env["VIBECHECK_PSK"]?.trim() ?? "";
  if (psk === "")
    return {
      ok: false,
      why: "VIBECHECK_PSK is not set. It is the key that programs and the page need; `npm run bridge -- key` makes one.",
    };
  const [port, agentPort] = [readPort(given.port), readPort(given["agent-port"])];
  if (port === null || agentPort === null) return { ok: false, why: "--port, --agent-port: expected a number from 0 to 65535" };
  const wrong = given.origin.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong !== undefined) return { ok: false, why: `--origin: expected an origin such as https://vibey.example, not ${wrong}` };
  const { cert, key } = given;
  if ((cert === undefined) !== (key === undefined))
    return { ok: false, why: "--cert, --key: expected both, each with a file in PEM: the certificate, and its private key." };
  const agentKey = env["VIBEY_AGENT_KEY"]?.trim() || null;
  if (given.vibe !== undefined && agentKey === null && !given["open-agents"])
    return { ok: false, why: "--vibe: expected VIBEY_AGENT_KEY to be set to a key from Vibey's Settings, Agents outside." };
  const isShort = psk.length < longEnough;
  if (isShort && given.lan)
    return { ok: false, why: `VIBECHECK_PSK has fewer than ${longEnough} characters: with --lan anyone near could guess it.` };
  if (given["open-agents"] && given.lan)
    return { ok: false, why: "--open-agents: expected without --lan, because anyone near could then report as an agent." };
  return {
    ok: true,
    config: {
      psk,
      host: given.lan ? "0.0.0.0" : "127.0.0.1",
      port,
      agentPort,
      origins: [...usualOrigins, ...given.origin],
      hosts: [...loopback, ...(given.lan ? ownAddresses() : []), ...given.host],
      openAgents: given["open-agents"],
      certificate: cert === undefined || key === undefined ? null : { cert, key },
      adapters: given.adapters ?? null,
      vibe: given.vibe === undefined ? null : { folder: given.vibe, key: given["open-agents"] ? null : agentKey },
    },
    warnings: isShort
      ? [`VIBECHECK_PSK has fewer than ${longEnough} characters and can be guessed. The bridge listens on this machine only.`]
      : [],
  };
}

function readPort(given: string): number | null {
  return /^\d{1,5}$/.test(given) && Number(given) <= 65_535 ? Number(given) : null;
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address.replace(/%.*$/, "")));
}
