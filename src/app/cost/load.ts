import { createSignal, onCleanup, type Accessor } from "solid-js";
import type { CostFrame, CostReport, PricesAnswer, PricesBody } from "../../protocol/index.ts";
import { body, json, openCost, unreachable } from "../model/api/calls.ts";
import { frames } from "../model/api/frames.ts";
import { onChange } from "../ui/on-change.ts";

export const readPrices = () => json<PricesAnswer>("prices");
export const writePrices = (prices: PricesBody["prices"]) => json<PricesAnswer>("prices", body("PUT", { prices } satisfies PricesBody));

export interface Loading {
  /** The last complete report; null before the first. */
  readonly report: CostReport | null;
  /** How many dialogs have been read, and of how many; null while nothing is being read. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly problem: string | null;
}

/** The project's cost in that many days; null: ever. A newer question ends the older one. `stop` ends it without a new question. */
export function createReport(question: Accessor<{ readonly days: number | null }>): {
  readonly now: Accessor<Loading>;
  readonly stop: () => void;
} {
  const [now, setNow] = createSignal<Loading>({ report: null, progress: null, problem: null });
  let asking = new AbortController();

  async function ask(days: number | null, { signal }: AbortController) {
    setNow({ ...now(), progress: { done: 0, total: 0 }, problem: null });
    const answer = await openCost(days, signal);
    if (signal.aborted) return;
    if (!answer.ok) {
      setNow({ ...now(), progress: null, problem: answer.message });
      return;
    }
    try {
      for await (const frame of frames<CostFrame>(answer.value)) {
        if (signal.aborted) return;
        if (frame.type === "progress") setNow({ ...now(), progress: frame });
        else setNow({ report: frame, progress: null, problem: null });
      }
    } catch (error) {
      if (!signal.aborted) setNow({ ...now(), progress: null, problem: unreachable(error).message });
    }
  }
  function stop() {
    asking.abort();
    setNow({ ...now(), progress: null });
  }
  onChange(question, ({ days }) => {
    asking.abort();
    asking = new AbortController();
    void ask(days, asking);
  });
  onCleanup(() => asking.abort());
  return { now, stop };
}
