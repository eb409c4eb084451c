import { createMemo, createSignal, onCleanup } from "solid-js";
import type { RunView } from "../../../protocol/index.ts";
import { createListener, type EngineEvents } from "../../model/api/events.ts";
import { createLatest } from "../../model/api/latest.ts";
import { readRuns } from "./load.ts";

/** Milliseconds between two readings while agents work. */
const pause = 400;

/** The runs of the project, read again when something happens in them. `problem`: why they can't be read. */
export function createRuns(events: EngineEvents) {
  const [asked, setAsked] = createSignal(0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  const again = () => setAsked(asked() + 1);
  createListener(events, () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      again();
    }, pause);
  });
  const answer = createLatest(asked, readRuns);
  /** A failed reading doesn't remove runs. */
  const runs = createMemo<readonly RunView[]>((before) => {
    const now = answer();
    return now?.ok ? now.value : before;
  }, []);
  return {
    runs,
    isRead: () => answer() !== null,
    problem(): string | null {
      const now = answer();
      return now?.ok === false ? now.message : null;
    },
    again,
  };
}
