import type { Meta } from "../../dialog/model.ts";

/** The dialog whose agent launched the one with this header. Null if the user started it. */
export function launchedBy(head: readonly Meta[]): string | null {
  return head.findLast(({ key }) => key === "Launched by")?.value ?? null;
}
