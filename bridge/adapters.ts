import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Converts the events of one framework to events of the universal protocol. It is the user's own code, loaded from a file. */
export interface CustomAdapter {
  readonly name: string;
  canHandle(raw: Readonly<Record<string, unknown>>): boolean;
  /** Null: the event says nothing. `_alsoEmit` in the result: additional events. */
  normalize(raw: Readonly<Record<string, unknown>>): object | null;
}

export type AdaptersRead =
  | { readonly ok: true; readonly adapters: readonly CustomAdapter[] }
  | { readonly ok: false; readonly file: string; readonly why: string };

/** Loads the adapters in a folder. The default export of each `.mjs` file is an adapter or a class. A missing folder has no adapters. */
export async function readAdapters(folder: string): Promise<AdaptersRead> {
  if (!existsSync(folder)) return { ok: true, adapters: [] };
  const adapters: CustomAdapter[] = [];
  for (const name of readdirSync(folder).toSorted()) {
    if (!name.endsWith(".mjs")) continue;
    const file = join(folder, name);
    try {
      const module: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href);
      const exported: unknown = isFields(module) ? module["default"] : null;
      const adapter: unknown = typeof exported === "function" ? Reflect.construct(exported, []) : exported;
      if (!isAdapter(adapter)) return { ok: false, file, why: "expected a default export with name, canHandle and normalize" };
      adapters.push(adapter);
    } catch (error) {
      return { ok: false, file, why: error instanceof Error ? error.message : String(error) };
    }
  }
  return { ok: true, adapters };
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isAdapter(value: unknown): value is CustomAdapter {
  if (typeof value !== "object" || value === null) return false;
  const has = (name: string, type: string) => typeof Reflect.get(value, name) === type;
  return has("name", "string") && has("canHandle", "function") && has("normalize", "function");
}

export type Adapted =
  /** The body for the page. Unchanged if no adapter handles it. */
  { readonly ok: true; readonly body: Uint8Array } | { readonly ok: false; readonly status: 400 | 500; readonly why: string };

const ofEvents = /^\/(?:k\/[^/]+\/)?event(?:\?|$)/;

/** Converts the body of a `POST /event` with the first adapter that handles it. */
export function adapt(path: string, body: Uint8Array, adapters: readonly CustomAdapter[]): Adapted {
  if (adapters.length === 0 || !ofEvents.test(path)) return { ok: true, body };
  const raw = parse(body);
  // The page reports what is wrong with the body.
  if (raw === null) return { ok: true, body };
  let name = "";
  try {
    const adapter = adapters.find((one) => {
      ({ name } = one);
      return one.canHandle(raw);
    });
    if (adapter === undefined) return { ok: true, body };
    const event = adapter.normalize(raw);
    if (event === null) return { ok: false, status: 400, why: "Unrecognized event format" };
    return { ok: true, body: new TextEncoder().encode(JSON.stringify(event)) };
  } catch {
    // The error isn't passed on, because it may contain data of the event.
    return { ok: false, status: 500, why: `The adapter ${name} failed` };
  }
}

function parse(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}
