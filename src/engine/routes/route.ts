import type { MethodOf, RoutePath } from "../../protocol/routes.ts";
import { failure } from "./answers.ts";

export interface Call {
  readonly request: Request;
  readonly url: URL;
  /** A part of the path, decoded. */
  readonly param: (name: string) => string;
}

export type Handler = (call: Call) => Response | Promise<Response>;
export type Fetch = (request: Request) => Promise<Response>;

interface Entry {
  readonly pattern: RegExp;
  readonly answer: Handler;
}

/** Some paths of the route table with their handlers. The first matching path answers a request. */
export interface Routes {
  readonly entries: Entry[];
  /** Creates an error answer in the format of these paths. */
  mistake: (status: number, error: string) => Response;
  /** Answers requests that match no path. */
  missing: (request: Request) => Response | Promise<Response>;
  readonly fetch: Fetch;
}

/** An internal error is answered with 500 and reported. Nothing is thrown. */
export function createRoutes(report: (error: unknown) => void): Routes {
  const routes: Routes = {
    entries: [],
    mistake: failure,
    missing: () => routes.mistake(404, "Not found"),
    async fetch(request) {
      try {
        const url = new URL(request.url);
        for (const { pattern, answer } of routes.entries) {
          const found = pattern.exec(url.pathname);
          if (found) return await answer({ request, url, param: (name) => decode(found.groups?.[name] ?? "") });
        }
        return await routes.missing(request);
      } catch (error) {
        report(error);
        return routes.mistake(500, `Vibey failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
  return routes;
}

/** Adds a path of the route table with its methods. Any other method is answered with 405 and the allowed methods. */
export function route<Path extends RoutePath>(routes: Routes, path: Path, methods: Readonly<Record<MethodOf<Path>, Handler>>): void {
  const handlers: Readonly<Record<string, Handler>> = methods;
  add(routes, path, (call) => {
    const { method } = call.request;
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (handler) return handler(call);
    const answer = routes.mistake(405, `Method ${method} not allowed`);
    answer.headers.set("allow", Object.keys(handlers).join(", "));
    return answer;
  });
}

/** `:name` is one segment of a path, `:name{.+}` is the rest of the path. */
export function add(routes: Routes, path: string, answer: Handler): void {
  const pattern = path
    .replaceAll(".", "\\.")
    .replaceAll(/:(\w+)\{\\\.\+\}/g, "(?<$1>.+)")
    .replaceAll(/:(\w+)/g, "(?<$1>[^/]+)");
  routes.entries.push({ pattern: new RegExp(`^${pattern}$`), answer });
}

/** Invalid percent-encoding is returned as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
