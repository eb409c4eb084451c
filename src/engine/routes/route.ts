import type { Hono } from "hono/tiny";
import { failure } from "./answers.ts";

export interface Call {
  readonly request: Request;
  readonly url: URL;
  /** A part of the path, decoded. */
  readonly param: (name: string) => string;
}

export type Handler = (call: Call) => Response | Promise<Response>;

/** One path with its methods; any other method is answered with 405 and those that there are. */
export function route(app: Hono, path: string, methods: Readonly<Record<string, Handler>>): void {
  app.all(path, (context) => {
    const { method } = context.req;
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!handler) {
      const answer = failure(405, `Method ${method} not allowed`);
      answer.headers.set("allow", Object.keys(methods).join(", "));
      return answer;
    }
    return handler({ request: context.req.raw, url: new URL(context.req.url), param: (name) => context.req.param(name) ?? "" });
  });
}
