import * as v from "valibot";
import { cleanCharacters } from "../../dialog/clean.ts";
import { limits } from "../../protocol/limits.ts";
import { isModelName } from "../names.ts";
import { type Body, nonEmpty, readBody, text } from "./body.ts";

/** The request bodies of the routes that work before any agent. Loaded with the first such request, not with the engine. */

/** Adds the scheme to the address of a server on this device, such as `localhost:11434`. */
function withScheme(typed: string): string {
  return /^(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/i.test(typed) ? `http://${typed}` : typed;
}

/** `http:` is allowed only for this machine, because a key must not be sent unencrypted over a network. */
function isBaseURL(given: string): boolean {
  if (!URL.canParse(given.trim())) return false;
  const { protocol, hostname, username, password } = new URL(given.trim());
  const local = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return username === "" && password === "" && (protocol === "https:" || (protocol === "http:" && local));
}

const settings = v.object({
  apiKey: v.optional(
    v.pipe(text, v.trim(), v.regex(/^[\u0020-\u00ff]{0,500}$/u, "expected a key of Latin characters without line breaks")),
  ),
  baseURL: v.optional(
    v.pipe(
      text,
      v.trim(),
      v.transform(withScheme),
      v.check(isBaseURL, "expected an https: address, or an http: one of this machine (localhost)"),
    ),
  ),
  model: v.optional(v.pipe(text, v.trim(), v.check(isModelName, "expected a model ID"))),
});
export type Settings = v.InferOutput<typeof settings>;

const file = v.object({ content: text });

/** A provider's settings, as typed. Omitted settings stay the same. */
export const readSettings = (request: Request): Promise<Body<Settings>> => readBody(request, settings);

/** A file's new text. */
export const readFileText = (request: Request): Promise<Body<{ content: string }>> => readBody(request, file);

const projectName = v.object({
  name: v.pipe(
    text,
    v.transform(cleanCharacters),
    v.trim(),
    nonEmpty,
    v.maxLength(limits.projectName, `expected at most ${limits.projectName} characters`),
  ),
});

export const readProjectName = (request: Request): Promise<Body<{ name: string }>> => readBody(request, projectName);
