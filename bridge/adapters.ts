import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Makes events of the universal protocol from those of one framework. It is the user's own code, from a file of theirs. */
export interface CustomAdapter {
  readonly name: string;
  canHandle(raw: Readonly<Record<string, unknown>>): boolean;
  /** null: it says nothing. `_alsoEmit` in it: more events that come with it. */
  normalize(raw: Readonly<Record<string, unknown>>): object | null;
}

export type AdaptersRead =
  | { readonly ok: true; readonly adapters: readonly CustomAdapter[] }
  | { readonly ok: false; readonly file: string; readonly why: string };

/** Loads the adapters of a folder: each `.mjs` in it exports one as its default, or a class of one. A folder that is not there has none. */
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
  /** What the page is told; the body as it came when no adapter is for it. */
  { readonly ok: true; readonly body: Uint8Array } | { readonly ok: false; readonly status: 400 | 500; readonly why: string };

const ofEvents = /^\/(?:k\/[^/]+\/)?event(?:\?|$)/;

/** A body of `POST /event` by the first adapter that is for it. */
export function adapt(path: string, body: Uint8Array, adapters: readonly CustomAdapter[]): Adapted {
  if (adapters.length === 0 || !ofEvents.test(path)) return { ok: true, body };
  const raw = parse(body);
  // The page says what is wrong with it.
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
    // What it threw can hold what the event held.
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
