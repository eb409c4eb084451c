import type { CostFrame } from "../../protocol/index.ts";
import type { Ledger } from "../cost/ledger.ts";
import { costReport, firstOf } from "../cost/report.ts";
import { limits } from "../../protocol/limits.ts";
import { failure } from "./answers.ts";
import { route, type Routes } from "./route.ts";
import { frameStream } from "./sse.ts";

/** The cost of the project. If the caller leaves, reading stops. */
export function costRoutes(app: Routes, { ledger, now }: { readonly ledger: Ledger; readonly now: () => Date }): void {
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
    const left = new AbortController();
    const { sink, response } = frameStream<CostFrame>(() => left.abort());
    void report();
    return response();

    async function report(): Promise<void> {
      try {
        const progress = (done: number, total: number) => sink.send({ type: "progress", done, total });
        const read = await ledger.read({ since, signal: left.signal, progress });
        sink.send({ type: "report", ...costReport(read, since, now()) });
        sink.end();
      } catch (error) {
        sink.fail(error);
      }
    }
  }
}
