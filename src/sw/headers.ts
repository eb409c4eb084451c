/** A path of public/_headers (a `*` at its end matches the rest) with its headers. */
export interface HeaderRule {
  readonly pattern: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers that the rules give to a path under the app's base, with its leading slash; a later rule wins. */
export function headersFor(rules: readonly HeaderRule[], path: string): Readonly<Record<string, string>> {
  const fits = (pattern: string) => (pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern);
  return Object.assign({}, ...rules.filter(({ pattern }) => fits(pattern)).map(({ headers }) => headers));
}

/** The same answer with these headers in place of what the host sent under their names. `body`: its own, if it was read already. */
export function withHeaders(
  response: Response,
  headers: Readonly<Record<string, string>>,
  body: Blob | ReadableStream | null = response.body,
): Response {
  const merged = new Headers(response.headers);
  for (const [name, value] of Object.entries(headers)) merged.set(name, value);
  // They are about the bytes on the wire, and the body here is unpacked.
  merged.delete("Content-Encoding");
  merged.delete("Content-Length");
  return new Response(body, { status: response.status, statusText: response.statusText, headers: merged });
}
