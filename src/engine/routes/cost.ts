import type { Hono } from "hono/tiny";
import type { CostFrame } from "../api.ts";
import type { Ledger } from "../cost/ledger.ts";
import { costReport, firstOf } from "../cost/report.ts";
import { limits } from "../limits.ts";
import { failure } from "./answers.ts";
import { route } from "./route.ts";

/** What the project cost. Who asks and leaves stops the reading of its dialogs. */
export function costRoutes(app: Hono, { ledger, now }: { readonly ledger: Ledger; readonly now: () => Date }): void {
  route(app, "/cost", {
    GET: async ({ url }) => {
      const asked = url.searchParams.get("days");
      const days = asked === null ? null : Number(/^\d{1,5}$/.exec(asked)?.[0] ?? 0);
      if (days !== null && (days < 1 || days > limits.costDays))
        return failure(400, `days: expected a whole number, 1 to ${limits.costDays}`);
      return stream(days === null ? null : firstOf(days, now()));
    },
  });

  function stream(since: number | null): Response {
    const encoder = new TextEncoder();
    const left = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        const send = (frame: CostFrame) => {
          if (!left.signal.aborted) controller.enqueue(encoder.encode(`data: ${JSON.stringify(frame)}\n\n`));
        };
        try {
          const progress = (done: number, total: number) => send({ type: "progress", done, total });
          send({ type: "report", ...costReport(await ledger.read({ since, signal: left.signal, progress }), since, now()) });
          if (!left.signal.aborted) controller.close();
        } catch (error) {
          if (!left.signal.aborted) controller.error(error);
        }
      },
      cancel() {
        left.abort();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
  }
}
