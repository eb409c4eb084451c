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

/** Some paths of the table with what answers them. The first one that fits a request answers it. */
export interface Routes {
  readonly entries: Entry[];
  /** A mistake in the form of these paths. */
  mistake: (status: number, error: string) => Response;
  /** Answers what no path fits. */
  missing: (request: Request) => Response | Promise<Response>;
  readonly fetch: Fetch;
}

/** A mistake of ours is answered with 500 and reported; nothing is thrown. */
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

/** One path of the table with its methods; any other method is answered with 405 and those that there are. */
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

/** `:name` is one segment of a path, `:name{.+}` is all the rest. */
export function add(routes: Routes, path: string, answer: Handler): void {
  const pattern = path
    .replaceAll(".", "\\.")
    .replaceAll(/:(\w+)\{\\\.\+\}/g, "(?<$1>.+)")
    .replaceAll(/:(\w+)/g, "(?<$1>[^/]+)");
  routes.entries.push({ pattern: new RegExp(`^${pattern}$`), answer });
}

/** What is no percent-encoding stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
