import { createSignal } from "solid-js";
import type { RunLogFilter } from "../../protocol/index.ts";
import { save } from "../project/zip.ts";
import * as t from "../texts/run-log.ts";
import { fetchRunLog } from "./load.ts";

/** Saves the filtered entries as a file. `done` and `problem`: the outcome, in words. */
export function createLogExport(filter: () => RunLogFilter) {
  const [outcome, setOutcome] = createSignal<{ readonly failed: boolean; readonly text: string } | null>(null);
  const words = (failed: boolean) => (outcome()?.failed === failed ? (outcome()?.text ?? null) : null);
  return {
    async exportLog() {
      setOutcome(null);
      const answer = await fetchRunLog(filter());
      if (answer.ok) save(answer.value, "event-log.json");
      setOutcome(answer.ok ? { failed: false, text: t.exported } : { failed: true, text: t.notExported(answer.message) });
    },
    done: () => words(false),
    problem: () => words(true),
  };
}
