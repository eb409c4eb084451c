// The project's cost limit: the user is asked before it is exceeded.
import { describe, expect, test } from "vitest";
import type { DialogAnswer, LimitsAnswer } from "../../../src/protocol/index.ts";
import { costLimitOf, periodStart, spentSince } from "../../../src/engine/cost/limit.ts";
import type { ProviderEvent } from "../../../src/engine/providers/provider.ts";
import type { Usage } from "../../../src/engine/cost/usage.ts";
import { follow } from "../scheduler/crew.ts";
import { type Bench, bench, call, ended, type Reply, say } from "../harness.ts";

const million: Usage = { input: 1_000_000, output: 0 };
/** An answer that used these tokens. */
const took = (usage: Usage, ...more: readonly ProviderEvent[]): Reply => [
  { type: "text", text: "Done." },
  ...more,
  { type: "usage", usage },
  ended,
];
const main = (...lines: readonly string[]) => ({
  welcome: [{ name: "doc-main.md", content: `# A game\n${lines.map((line) => `> ${line}\n`).join("")}` }],
});
const price = (model = "model-1", input = 2) => ({ origin: "https://api.example", model, input, output: 10 });
const setPrices = async (b: Bench, ...prices: readonly object[]) => expect((await b.ask("PUT", "/prices", { prices })).status).toBe(200);
const start = async (b: Bench, slug = "game") => {
  const frames = await b.frames(await b.ask("POST", "/dialog", { provider: "claude", slug, prompt: "Go" }));
  const [first] = frames;
  return first?.type === "dialog" ? first.dialogId : "";
};
const put = async (b: Bench, body: object) => b.frames(await b.ask("PUT", "/dialog", body));
const view = async (b: Bench, id: string) => (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
const lines = (markdown: string, key: string) => markdown.split("\n").filter((line) => line.startsWith(`> ${key}: `));
const limitsNow = async (b: Bench) => (await (await b.ask("GET", "/limits")).json()) as LimitsAnswer;

describe("the line", () => {
  test.each([
    ["> Limit: cost 5", { nanos: 5_000_000_000, period: null }],
    ["> Limit: cost 2.50 a day", { nanos: 2_500_000_000, period: "day" }],
    ["> Limit: cost 0", { nanos: 0, period: null }],
    ["> Limit: cost 5 a week\n> Limit: cost 100 a month", { nanos: 100_000_000_000, period: "month" }],
    ["> Limit: cost 5\n> Limit: cost five", { nanos: 5_000_000_000, period: null }],
    ["> Limit: cost $5", null],
    ["> Limit: cost 5 USD", null],
    ["> Limit: cost 5 a year", null],
    ["> Limit: cost 5  a day", null],
    ["> Limit: cost -1", null],
    ["> Limit: cost", null],
    ["> Limit imported: cost 5", null],
    ["\\> Limit: cost 5", null],
    ["", null],
  ])("%j", (text, limit) => expect(costLimitOf(text)).toEqual(limit));

  test("a period goes back from now; what has no time counts in each", () => {
    const now = Date.UTC(2026, 10, 22, 12);
    const day = periodStart({ nanos: 1, period: "day" }, now);
    expect(day).toBe(Date.UTC(2026, 10, 21, 12));
    expect(periodStart({ nanos: 1, period: null }, now)).toBeNull();
    const paid = (time: number | null, nanos: number | null) => ({ time, nanos, provider: "p", model: "m", input: 0, output: 0 });
    const dialogs = [
      {
        dialogId: "a",
        responses: [paid(now, 1), paid(now - 86_400_000, 10), paid(now - 86_400_001, 100), paid(null, 1000), paid(now, null)],
      },
    ];
    expect(spentSince(dialogs, day)).toBe(1011);
    expect(spentSince(dialogs, null)).toBe(1111);
  });
});

test("what a response cost stands behind its usage, and the sum of the dialog behind it", async () => {
  const b = await bench([took({ ...million, cacheRead: 900_000 }), took({ input: 5, output: 1, cost: 123_000_000 })]);
  await setPrices(b, { ...price(), cacheRead: 0.2 });
  const id = await start(b);
  await put(b, { dialogId: id, prompt: "More" });
  const { markdown, cost, messages } = await view(b, id);
  expect(markdown).toContain(
    "\n> Usage: input=1000000 output=0 total=1000000\n> Usage cumulative: input=1000000 output=0 total=1000000\n> Usage cached: read=900000 write=0\n> Cost: 0.38 USD\n> Price: input=2 output=10 read=0.2 USD a million, yours\n> Cost cumulative: 0.38 USD\n",
  );
  expect(lines(markdown, "Cost")).toEqual(["> Cost: 0.38 USD", "> Cost: 0.123 USD reported"]);
  expect(lines(markdown, "Cost cumulative")).toEqual(["> Cost cumulative: 0.38 USD", "> Cost cumulative: 0.503 USD"]);
  expect(cost).toBe(503_000_000);
  expect(messages[1]).toMatchObject({ cost: { nanos: 380_000_000, reported: false }, cached: { read: 900_000, write: 0 } });
  expect(messages[3]?.cost).toEqual({ nanos: 123_000_000, reported: true });
  expect(messages.flatMap(({ parts }) => parts).filter(({ kind }) => kind === "meta")).toEqual([]);
});

test("a model without a price costs nobody knows what: nothing is written, nothing is asked", async () => {
  const b = await bench([took(million)]);
  const id = await start(b);
  const { markdown, cost } = await view(b, id);
  expect(lines(markdown, "Usage")).toHaveLength(1);
  expect(markdown).not.toContain("Cost");
  expect(cost).toBeNull();
});

test("a response that the human stopped cost what was reported of it", async () => {
  const b = await bench([
    async function* (_request, signal) {
      yield { type: "text", text: "I begin." };
      yield { type: "usage", usage: million };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield { type: "end", stop: { kind: "aborted" } };
    },
  ]);
  await setPrices(b, price());
  const answer = b.ask("POST", "/dialog", { provider: "claude", slug: "game", prompt: "Go" });
  await expect.poll(async () => (await (await b.ask("GET", "/dialogs")).json())[0]?.activity?.kind).toBe("writing");
  const { id } = await b.dialog();
  await b.ask("PUT", "/dialog", { dialogId: id, status: "waiting" });
  await b.frames(await answer);
  expect(lines((await view(b, id)).markdown, "Cost")).toEqual(["> Cost: 2 USD"]);
});

test("a fork takes along what was said, not what it cost", async () => {
  const b = await bench([took(million), took(million)]);
  await setPrices(b, price());
  const id = await start(b);
  const fork = (await (await b.ask("POST", `/dialog/${id}/fork`, { message: 2 })).json()) as { dialogId: string };
  expect((await view(b, fork.dialogId)).markdown).not.toContain("> Cost");
  await put(b, { dialogId: fork.dialogId, prompt: "More" });
  expect((await view(b, fork.dialogId)).cost).toBe(2_000_000_000);
  expect((await limitsNow(b)).cost).toBeNull();
});

describe("the limit", () => {
  test("is reached: no request goes out, the dialog waits and says why, and one click lets it go on for a turn", async () => {
    const b = await bench(
      [took(million), took(million), took(million, call("c1", "run_command", { command: "ls" })), say("At last.")],
      main("Limit: cost 4"),
    );
    await setPrices(b, price());
    const id = await start(b);
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(2);
    expect((await limitsNow(b)).cost).toEqual({ nanos: 4_000_000_000, period: null, spent: 4_000_000_000 });

    const frames = await put(b, { dialogId: id, prompt: "And more" });
    expect(b.requests).toHaveLength(2);
    expect(frames.at(-1)).toMatchObject({ type: "done", result: { status: "waiting" } });
    const held = await view(b, id);
    expect(held.status).toBe("waiting");
    expect(held.messages.at(-1)).toMatchObject({ role: "assistant", stop: "limit cost (4 of 4 USD)", parts: [] });
    expect(held.markdown.endsWith("\n> Stop: limit cost (4 of 4 USD)\n")).toBe(true);
    // The next engine behaves the same.
    const again = await b.reload();
    await setPrices(again, price());
    await put(again, { dialogId: id, prompt: "Please" });
    expect(again.requests).toHaveLength(0);

    // The whole turn may continue, including its second request. The next turn asks again.
    await put(again, { dialogId: id, prompt: "Please continue.", limits: { cost: "once" } });
    await put(again, { dialogId: id, decisions: [{ id: "c1", approved: true }] });
    expect(again.requests).toHaveLength(1);
    expect(lines((await view(again, id)).markdown, "Limit")).toEqual(["> Limit: cost once"]);
    expect((await view(again, id)).messages.at(-1)?.stop).toBe("limit cost (6 of 4 USD)");
    expect(b.reported).toEqual([]);
    expect(again.reported).toEqual([]);
  });

  test("a turn that was let go on asks as often as it must", async () => {
    const b = await bench(
      [took(million, call("c1", "run_command", { command: "ls" })), say("At last.")],
      main("Authorized: run_command", "Limit: cost 0"),
    );
    await setPrices(b, price());
    const id = await start(b);
    expect(b.requests).toHaveLength(0);
    await put(b, { dialogId: id, prompt: "Please continue.", limits: { cost: "once" } });
    expect(b.requests).toHaveLength(2);
    expect((await view(b, id)).status).toBe("done");
  });

  test("a higher one in doc-main.md counts at once, and so does none", async () => {
    const b = await bench([took(million), took(million), say("Yes.")], main("Limit: cost 1"));
    await setPrices(b, price());
    const id = await start(b);
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(1);
    await b.ask("POST", "/file/doc-main.md", { content: "> Limit: cost 3\n" });
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(2);
    await b.ask("DELETE", "/file/doc-main.md");
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(3);
  });

  test("is the project's: what other dialogs cost counts, also those that are gone on with", async () => {
    const b = await bench([took(million), say("Never.")], main("Limit: cost 2"));
    await setPrices(b, price());
    await start(b, "one");
    const two = await start(b, "two");
    expect(b.requests).toHaveLength(1);
    expect((await view(b, two)).messages.at(-1)?.stop).toBe("limit cost (2 of 2 USD)");
  });

  describe("and a dialog whose file is damaged", () => {
    async function damagedOne(limit: number) {
      let damaged = "";
      const options = {
        ...main(`Limit: cost ${limit}`),
        get damaged() {
          return damaged;
        },
      };
      const b = await bench([took(million), took(million), took(million)], options);
      await setPrices(b, price());
      const one = await start(b, "one");
      return { b, one, damage: (status: string) => (damaged = `vibey/dialog-${one}-${status}.md`) };
    }

    test("others go on, and what it is known to have cost counts", async () => {
      const { b, one, damage } = await damagedOne(4);
      expect((await limitsNow(b)).cost?.spent).toBe(2_000_000_000);
      // Write a later version than the one that was read.
      await b.ask("PUT", "/dialog", { dialogId: one, status: "waiting" });
      damage("waiting");
      const two = await start(b, "two");
      expect([b.requests.length, (await limitsNow(b)).cost?.spent]).toEqual([2, 4_000_000_000]);
      await put(b, { dialogId: two, prompt: "More" });
      expect([b.requests.length, (await view(b, two)).messages.at(-1)?.stop]).toEqual([2, "limit cost (4 of 4 USD)"]);
      expect(b.reported).toEqual([]);
    });

    test("others go on where it was never read, and the user is told that it doesn't count", async () => {
      const { b, one, damage } = await damagedOne(4);
      damage("done");
      const again = await b.reload();
      const notices: string[] = [];
      await follow(again, (event) => {
        if (event.type === "notice") notices.push(event.data.message);
      });
      await setPrices(again, price());
      await start(again, "two");
      await start(again, "three");
      expect(again.requests).toHaveLength(2);
      const told = `The file of the dialog ${one} is damaged, so the spending limit may not count all of its cost.`;
      await expect.poll(() => notices.filter((message) => message === told)).toEqual([told]);
    });

    test("its own requests are refused, with the reason", async () => {
      const { b, one, damage } = await damagedOne(100);
      damage("active");
      await put(b, { dialogId: one, prompt: "More" });
      expect([b.requests.length, (await view(b, one)).messages.at(-1)?.stop]).toEqual([1, "limit cost unreadable"]);
      await put(b, { dialogId: one, prompt: "Please continue.", limits: { cost: "once" } });
      expect(b.requests).toHaveLength(2);
    });
  });

  test("of a day: what is older than 24 hours does not count", async () => {
    let time = Date.UTC(2026, 10, 22, 12);
    const b = await bench([took(million), took(million)], { ...main("Limit: cost 2 a day"), now: () => new Date((time += 1000)) });
    await setPrices(b, price());
    const id = await start(b);
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(1);
    expect((await view(b, id)).messages.at(-1)?.stop).toBe("limit cost (2 of 2 USD a day)");
    time += 86_400_000;
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(2);
  });

  test("a price tells nothing of a server that reports no tokens: the human is asked, once a dialog", async () => {
    const b = await bench([say("One."), say("Two."), say("Three.")], main("Limit: cost 5"));
    await setPrices(b, price());
    const id = await start(b);
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(1);
    expect((await view(b, id)).messages.at(-1)?.stop).toBe("limit cost unknown");
    await put(b, { dialogId: id, prompt: "Please continue.", limits: { cost: "unknown" } });
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(3);
  });

  test("with a model whose price nobody knows the human is asked, once a dialog", async () => {
    const b = await bench([took(million), took(million), took(million)], main("Limit: cost 5"));
    const id = await start(b);
    expect(b.requests).toHaveLength(0);
    expect((await view(b, id)).messages.at(-1)?.stop).toBe("limit cost unknown");
    await put(b, { dialogId: id, prompt: "Please continue.", limits: { cost: "unknown" } });
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(2);
    expect(lines((await view(b, id)).markdown, "Limit")).toEqual(["> Limit: cost unknown"]);
    const other = await start(b, "other");
    expect(b.requests).toHaveLength(2);
    expect((await view(b, other)).messages.at(-1)?.stop).toBe("limit cost unknown");
    await setPrices(b, price("model-*"));
    await put(b, { dialogId: other, prompt: "Please continue." });
    expect(b.requests).toHaveLength(3);
  });

  test("a provider that says itself what it takes needs no price, once it has said it", async () => {
    const b = await bench([took({ ...million, cost: 1_000_000_000 }), took({ ...million, cost: 1_000_000_000 })], main("Limit: cost 2"));
    const id = await start(b);
    await put(b, { dialogId: id, prompt: "Please continue.", limits: { cost: "once" } });
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(2);
    await put(b, { dialogId: id, prompt: "More" });
    expect(b.requests).toHaveLength(2);
    expect((await view(b, id)).messages.at(-1)?.stop).toBe("limit cost (2 of 2 USD)");
  });

  test("a model that costs nothing is asked whatever was spent", async () => {
    const b = await bench([took(million), say("Free."), say("Free.")], main("Limit: cost 1"));
    await setPrices(b, price(), { ...price("model-2", 0), output: 0 });
    const id = await start(b);
    await put(b, { dialogId: id, prompt: "More", model: "model-2" });
    expect(b.requests.map(({ model }) => model)).toEqual(["model-1", "model-2"]);
  });

  test("what an import says lets nobody past it", async () => {
    const b = await bench([took(million)], main("Limit: cost 5"));
    const text = "# Dialog\n> Format: 1\n> Provider: claude | Model: model-1\n> Limit imported: cost unknown\n\n## User\n\nGo.\n";
    const filename = "dialog-20261121-201100-came-waiting.md";
    expect((await b.ask("POST", `/file/${filename}`, { content: text })).status).toBe(200);
    await put(b, { dialogId: "20261121-201100-came", prompt: "More" });
    expect(b.requests).toHaveLength(0);
  });

  test.each([{ cost: "always" }, { cost: 5 }, { cost: null }, { spend: "once" }])("%j is refused", async (given) => {
    const b = await bench([say("Hello.")]);
    const id = await start(b);
    const answer = await b.ask("PUT", "/dialog", { dialogId: id, prompt: "More", limits: given });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("limits");
  });
});
