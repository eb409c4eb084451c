import { render } from "solid-js/web";
import type { Component } from "solid-js";
import { afterEach, expect, test, vi } from "vitest";
import type { ScheduleView } from "../../../src/protocol/index.ts";
import { soon } from "../../soon.ts";

/** Imported through Vite: this folder has file names that differ only in case, which TypeScript rejects in one program. */
const files = import.meta.glob("../../../src/app/agents/Schedules.tsx");
const module = await files["../../../src/app/agents/Schedules.tsx"]?.();
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the component's own type.
const Schedules = Reflect.get(module as object, "Schedules") as Component<{ slugs: readonly string[]; asked: number }>;

let dispose = () => {};
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
});

test("of thousands of lines a hundred are shown, and it says how many more there are", async () => {
  const schedule = (at: number): ScheduleView => {
    const rule = `coder every ${at + 15}m`;
    return { value: rule, rule, slug: "coder", problem: null, last: null, next: null };
  };
  let count = 3_000;
  vi.stubGlobal("fetch", async () =>
    Response.json({ anHour: 4, etag: "1", schedules: Array.from({ length: count }, (_, at) => schedule(at)) }),
  );
  const show = () => {
    dispose();
    document.body.replaceChildren();
    dispose = render(() => <Schedules slugs={["coder"]} asked={0} />, document.body);
  };
  const rows = () => Array.from(document.querySelectorAll(".agent-schedules li"), ({ textContent }) => textContent);
  show();
  await soon(() => expect([rows().length, rows().at(-1)]).toEqual([101, "main has 2,900 more schedules, not shown here."]));
  count = 100;
  show();
  await soon(() => expect([rows().length, rows().at(-1)?.includes("coder every 114m")]).toEqual([100, true]));
});
