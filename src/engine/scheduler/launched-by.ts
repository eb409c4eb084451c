import type { Meta } from "../../dialog/model.ts";

/** The dialog whose agent began the one with this header; null: the user did. */
export function launchedBy(head: readonly Meta[]): string | null {
  return head.findLast(({ key }) => key === "Launched by")?.value ?? null;
}
