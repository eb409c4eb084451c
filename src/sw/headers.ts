/** A path of public/_headers with its headers. A `*` at its end matches the rest. */
export interface HeaderRule {
  readonly pattern: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers that the rules set for a path under the app's base, with its leading slash. A later rule wins. */
export function headersFor(rules: readonly HeaderRule[], path: string): Readonly<Record<string, string>> {
  const fits = (pattern: string) => (pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern);
  return Object.assign({}, ...rules.filter(({ pattern }) => fits(pattern)).map(({ headers }) => headers));
}

/** The same response with these headers, which replace the host's. `body`: the response's own body, if it was already read. */
export function withHeaders(
  response: Response,
  headers: Readonly<Record<string, string>>,
  body: Blob | ReadableStream | null = response.body,
): Response {
  const merged = new Headers(response.headers);
  for (const [name, value] of Object.entries(headers)) merged.set(name, value);
  // These headers describe the bytes on the wire, but this body is unpacked.
  merged.delete("Content-Encoding");
  merged.delete("Content-Length");
  return new Response(body, { status: response.status, statusText: response.statusText, headers: merged });
}
