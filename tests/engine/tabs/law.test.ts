import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Asked, openTabs, type Page, type Tabs } from "./tabs.ts";

/**
 * Tabs are opened, closed, frozen, thawed and used at random, with messages delivered in any order:
 *
 * - at most one of the workers that aren't frozen has the engine;
 * - a call runs at most once, and exactly once if its answer says that it ran; a read may be sent once more;
 * - a call in a tab that isn't frozen is answered or fails within a short time, and so is the next one.
 */

type Step =
  | { readonly kind: "open" }
  | { readonly kind: "close" | "freeze" | "thaw" | "ask" | "read" | "stream" | "cancel"; readonly tab: number }
  | { readonly kind: "tasks"; readonly count: number }
  | { readonly kind: "time"; readonly ms: number };

const tab = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ kind: "open" }) },
  { weight: 2, arbitrary: tab.map((index): Step => ({ kind: "close", tab: index })) },
  { weight: 1, arbitrary: tab.map((index): Step => ({ kind: "freeze", tab: index })) },
  { weight: 2, arbitrary: tab.map((index): Step => ({ kind: "thaw", tab: index })) },
  { weight: 8, arbitrary: tab.map((index): Step => ({ kind: "ask", tab: index })) },
  { weight: 4, arbitrary: tab.map((index): Step => ({ kind: "read", tab: index })) },
  { weight: 1, arbitrary: tab.map((index): Step => ({ kind: "stream", tab: index })) },
  { weight: 1, arbitrary: tab.map((index): Step => ({ kind: "cancel", tab: index })) },
  { weight: 10, arbitrary: fc.nat(25).map((count): Step => ({ kind: "tasks", count })) },
  { weight: 1, arbitrary: fc.nat(7_000).map((ms): Step => ({ kind: "time", ms })) },
);

test("random tabs", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 60, size: "max" }),
      fc.infiniteStream(fc.nat(1_000)),
      async (steps, numbers) => {
        const tabs = openTabs((n) => (n === 0 ? 0 : Number(numbers.next().value) % n));
        let names = 2;
        tabs.open("tab1");
        tabs.open("tab2");
        for (const each of steps) {
          const open = tabs.pages.filter(({ worker }) => !worker.ended);
          const page = "tab" in each ? open[each.tab % open.length] : undefined;
          if (each.kind === "open") tabs.open(`tab${(names += 1)}`);
          else if (each.kind === "tasks") for (let n = 0; n < each.count; n += 1) await tabs.origin.step();
          else if (each.kind === "time") await tabs.origin.advance(each.ms);
          else if (page) act(each.kind, page);
          atMostOneEngine(tabs);
        }
        await tabs.origin.advance(20_000);
        const awake = tabs.pages.filter(({ worker }) => !worker.ended && !worker.frozen);
        for (const { asked } of awake) {
          for (const { state, path } of asked)
            expect(state === "open" || (state === "head" && !path.startsWith("/stream")), path).toBe(false);
        }

        // Whatever has happened, the next call is answered.
        for (const page of tabs.pages) page.worker.frozen = false;
        await tabs.origin.advance(20_000);
        const last = tabs.pages.filter(({ worker }) => !worker.ended).map((page) => page.ask("PUT", `/last-${page.name}`));
        await tabs.origin.advance(20_000);
        expect(last.map(({ state }) => state)).toEqual(last.map(() => "done"));
        expect(tabs.live()).toHaveLength(Math.min(1, last.length));
        for (const { asked } of tabs.pages) for (const call of asked) carriedOut(call, tabs);
        expect([...tabs.origin.reported, ...tabs.faults]).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});

let calls = 0;

function act(kind: Exclude<Step, { kind: "open" | "tasks" | "time" }>["kind"], page: Page): void {
  switch (kind) {
    case "close":
      page.close();
      break;
    case "freeze":
      page.worker.frozen = true;
      break;
    case "thaw":
      page.worker.frozen = false;
      break;
    case "ask":
      page.ask("PUT", `/${(calls += 1)}`);
      break;
    case "read":
      page.ask("GET", `/${(calls += 1)}`);
      break;
    case "stream":
      page.ask("GET", `/stream-${(calls += 1)}`);
      break;
    case "cancel":
      page.asked.findLast(({ state }) => state === "open" || state === "head")?.cancel();
      break;
  }
}

/** A thawed worker may still believe that it has the engine, until it has read its messages. */
function atMostOneEngine(tabs: Tabs): void {
  const never = tabs.live().filter(({ worker }) => !worker.wasFrozen);
  expect(never.length).toBeLessThanOrEqual(1);
}

function carriedOut({ method, path, state }: Asked, tabs: Tabs): void {
  const times = tabs.ran.get(path) ?? 0;
  expect(times, path).toBeLessThanOrEqual(method === "GET" ? 2 : 1);
  if (state === "done") expect(times, path).toBeGreaterThanOrEqual(1);
}
