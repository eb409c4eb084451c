import { afterEach, expect, test, vi } from "vitest";
import { createPaneWidths } from "../../../src/app/run-graph/pane-widths.ts";

afterEach(() => vi.unstubAllGlobals());

test("the widths are kept under a name that Remove all knows as Vibey's", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  createPaneWidths().set("explorer", 300);
  expect(Array.from(kept.keys(), (key) => key.startsWith("vibey "))).toEqual([true]);
  expect(createPaneWidths().widths().explorer).toBe(300);
});
