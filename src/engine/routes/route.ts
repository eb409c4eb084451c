import type { Hono } from "hono/tiny";
import type { MethodOf, RoutePath } from "../../protocol/routes.ts";
import { failure } from "./answers.ts";

export interface Call {
  readonly request: Request;
  readonly url: URL;
  /** A part of the path, decoded. */
  readonly param: (name: string) => string;
}

export type Handler = (call: Call) => Response | Promise<Response>;

/** One path of the table with its methods; any other method is answered with 405 and those that there are. */
export function route<Path extends RoutePath>(app: Hono, path: Path, methods: Readonly<Record<MethodOf<Path>, Handler>>): void {
  const handlers: Readonly<Record<string, Handler>> = methods;
  app.all(path, (context) => {
    const { method } = context.req;
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (!handler) {
      const answer = failure(405, `Method ${method} not allowed`);
      answer.headers.set("allow", Object.keys(handlers).join(", "));
      return answer;
    }
    return handler({ request: context.req.raw, url: new URL(context.req.url), param: (name) => context.req.param(name) ?? "" });
  });
}
