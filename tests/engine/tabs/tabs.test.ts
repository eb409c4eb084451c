import { describe, expect, test } from "vitest";
import { openTabs, sayOnStreams, type Tabs } from "./tabs.ts";

const isKind = (message: unknown, kind: string) =>
  typeof message === "object" && message !== null && "kind" in message && message.kind === kind;
const statesOf = (tabs: Tabs) => tabs.pages.map(({ asked }) => asked.map(({ state }) => state).join(" "));

describe("opening and closing", () => {
  /**
   * `+a` opens a tab, `-a` closes it, `a` sends a call in it, `!a` freezes and `?a` thaws its worker, `~a` opens a stream in it, `.` waits
   * until nothing happens, `6s` advances the clock. Then: who has the engine, and who has ever had it, in order.
   */
  test.each<[string, string, string, string]>([
    ["one tab", "+a a .", "a", "a:done"],
    ["two one after the other", "+a . +b . a b .", "a", "a:done b:done"],
    ["two at once", "+a +b a b .", "a", "a:done b:done"],
    ["three at once, each asks at once", "+a a +b b +c c .", "a", "a:done b:done c:done"],
    ["the relay is closed", "+a . +b . -b a .", "a", "a:done b:"],
    ["the leader is closed", "+a . +b . -a . b .", "a b", "a: b:done"],
    ["the leader is closed before it has answered anyone", "+a +b b -a .", "b", "a: b:done"],
    ["each leader in turn is closed", "+a +b +c . -a . c . -b . c .", "a b c", "a: b: c:done done"],
    ["the leader is opened again: it is a relay now", "+a +b . -a +c . b c .", "a b", "a: b:done c:done"],
    ["the last is closed, a new one opened", "+a . -a . +b b .", "a b", "a: b:done"],
    ["the leader is frozen while the relay asks", "+a +b . !a b . 4s", "a", "a: b:open"],
    ["and five seconds later", "+a +b . !a b . 6s", "a b", "a: b:failed"],
    ["the next call goes to the new leader", "+a +b . !a b . 6s b .", "a b", "a: b:failed done"],
    ["a call that was not sent yet is done by the new leader", "+a . !a +b b . 6s", "a b", "a: b:done"],
    ["a frozen leader for which nobody waits is left alone", "+a +b . !a . 60s ?a . b .", "a", "a: b:done"],
    ["a frozen leader that thaws in time", "+a +b . !a b . 3s ?a . 60s b .", "a", "a: b:done done"],
    ["the leader that was replaced thaws: it is a relay now", "+a +b . !a b . 6s ?a . a b .", "a b", "a:done b:failed done"],
    ["a frozen relay gets the lock first: the next one goes on", "+a +b +c . !b -a . c . 6s c .", "a c", "a: b: c:done done"],
    ["a stream that waits for nothing keeps nobody awake", "+a +b . ~b . !a 60s", "a", "a: b:head"],
    [
      "two wait for a frozen leader and tire in the same moment: one takes over",
      "+a +b +c . !a b c . 6s b c . 9s",
      "a b",
      "a: b:failed done c:failed done",
    ],
    ["also when the next one in line is frozen", "+a +b +c +d . !b -a . c d . 6s c d . 9s", "a c", "a: b: c:done done d:done done"],
    ["streams end with the leader", "+a +b +c . ~b ~c . -a .", "a b", "a: b:failed c:failed"],
    ["also when the next one is frozen", "+a +b +c . ~c . !b -a .", "a", "a: b: c:failed"],
  ])("%s: %s", async (_, steps, engines, outcome) => {
    const tabs = openTabs();
    const page = (name: string) => {
      const found = tabs.pages.find((each) => each.name === name);
      if (!found) throw new Error(`no tab ${name}`);
      return found;
    };
    for (const word of steps.split(" ")) {
      const name = word.slice(1);
      if (word === ".") await tabs.origin.settle();
      else if (/^\d+s$/.test(word)) await tabs.origin.advance(Number.parseInt(word, 10) * 1_000);
      else if (word.startsWith("+")) tabs.open(name);
      else if (word.startsWith("-")) page(name).close();
      else if (word.startsWith("!")) page(name).worker.frozen = true;
      else if (word.startsWith("?")) page(name).worker.frozen = false;
      else if (word.startsWith("~")) page(name).ask("GET", `/stream-${name}`);
      else page(word).ask("PUT", `/${word}`);
    }
    expect(tabs.engines.map((engine) => engine.page).join(" ")).toBe(engines);
    expect(tabs.pages.map(({ name, asked }) => `${name}:${asked.map(({ state }) => state).join(" ")}`).join(" ")).toBe(outcome);
    expect([...tabs.origin.reported, ...tabs.faults]).toEqual([]);
  });
});

test("a call in flight when the leader is gone fails, with a sentence, and is not done again", async () => {
  const tabs = openTabs();
  const [a, b] = [tabs.open("a"), tabs.open("b")];
  await tabs.origin.settle();
  const slow = b.ask("PUT", "/slow");
  await tabs.origin.settle();
  expect([slow.state, tabs.ran.get("/slow")]).toEqual(["open", 1]);
  a.close();
  await tabs.origin.advance(60_000);
  expect([slow.state, tabs.ran.get("/slow")]).toEqual(["failed", 1]);
  expect(slow.text).toContain("it may or may not have been done");
});

test("a read in flight when the leader is gone is answered by the next one, once", async () => {
  const tabs = openTabs();
  const [a, b, c] = [tabs.open("a"), tabs.open("b"), tabs.open("c")];
  await tabs.origin.settle();
  const read = c.ask("GET", "/slow");
  await tabs.origin.settle();
  expect([read.state, tabs.ran.get("/slow")]).toEqual(["open", 1]);
  a.close();
  await tabs.origin.settle();
  expect([read.state, tabs.ran.get("/slow")]).toEqual(["open", 2]);
  b.close();
  await tabs.origin.settle();
  expect([read.state, tabs.ran.get("/slow")]).toEqual(["failed", 2]);
});

test("a long call is no silence: the leader says that it lives", async () => {
  const tabs = openTabs();
  const [, b] = [tabs.open("a"), tabs.open("b")];
  const slow = b.ask("PUT", "/slow");
  await tabs.origin.advance(600_000);
  expect([slow.state, tabs.engines.length]).toEqual(["open", 1]);
  tabs.held.get("/slow")?.();
  await tabs.origin.settle();
  expect([slow.state, slow.text]).toEqual(["done", "a/slow"]);
});

test("an answer that stops half way is silence, too", async () => {
  const tabs = openTabs();
  const [a, b] = [tabs.open("a"), tabs.open("b")];
  await tabs.origin.settle();
  const [whole, half] = [b.ask("GET", "/halves-1"), b.ask("GET", "/halves-2")];
  await tabs.origin.advance(60_000);
  tabs.held.get("/halves-1")?.();
  await tabs.origin.settle();
  expect([whole.state, whole.text]).toEqual(["done", "one half, the other half"]);
  a.worker.frozen = true;
  await tabs.origin.advance(6_000);
  expect([half.state, tabs.engines.length]).toEqual(["failed", 2]);
});

test("a new leader has as long as the one before it to give a sign of life", async () => {
  const tabs = openTabs();
  const [a, b, c] = [tabs.open("a"), tabs.open("b"), tabs.open("c")];
  await tabs.origin.settle();
  a.worker.frozen = true;
  b.ask("PUT", "/b");
  await tabs.origin.advance(500);
  c.ask("PUT", "/c");
  const joins: unknown[] = [];
  tabs.origin.loses = (message) => isKind(message, "join") && joins.push(message) === 1;
  await tabs.origin.advance(4_600);
  expect(tabs.engines.map(({ page }) => page)).toEqual(["a", "b"]);
  // c's message to b is lost, and c has been waiting for long.
  const next = c.ask("PUT", "/next");
  await tabs.origin.advance(5_000);
  expect([next.state, next.text]).toEqual(["done", "b/next"]);
  expect(tabs.engines.map(({ page }) => page)).toEqual(["a", "b"]);
});

test("whoever takes over freezes before it has said so: the next one that waits takes over", async () => {
  const tabs = openTabs();
  const [a, b, c] = [tabs.open("a"), tabs.open("b"), tabs.open("c")];
  await tabs.origin.settle();
  a.worker.frozen = true;
  b.ask("PUT", "/b");
  const waits = c.ask("PUT", "/c");
  tabs.origin.loses = (message) => isKind(message, "leader");
  await tabs.origin.advance(5_000);
  b.worker.frozen = true;
  tabs.origin.loses = () => false;
  await tabs.origin.advance(4_000);
  expect([waits.state, tabs.engines.length]).toEqual(["open", 2]);
  const next = c.ask("PUT", "/next");
  await tabs.origin.advance(2_000);
  expect([waits.state, next.state, tabs.engines.at(-1)?.page]).toEqual(["failed", "failed", "c"]);
});

test.each([
  ["refuses", new Error("storage is blocked"), "storage is blocked"],
  ["has no", "none" as const, "use https or localhost"],
])("where the browser %s locks the tab says so, and answers each call with it", async (_, refusal, words) => {
  const tabs = openTabs();
  tabs.origin.refusal = refusal;
  const a = tabs.open("a");
  const early = a.ask("GET", "/early");
  await tabs.origin.advance(20_000);
  const late = a.ask("GET", "/late");
  await tabs.origin.advance(20_000);
  const message = expect.stringContaining(words);
  expect(a.news).toEqual([{ kind: "failed", message }]);
  for (const call of [early, late]) expect([call.state, call.text]).toEqual(["failed", message]);
  expect(tabs.engines).toEqual([]);
});

test.each(["who", "leader", "join"])("a first %s that is lost delays a call, no more", async (kind) => {
  const tabs = openTabs();
  let lost = 0;
  tabs.origin.loses = (message) => {
    if (!isKind(message, kind)) return false;
    lost += 1;
    return lost === 1;
  };
  tabs.open("a");
  const call = tabs.open("b").ask("PUT", "/b");
  await tabs.origin.advance(3_000);
  expect([lost > 1, call.state, tabs.engines.length]).toEqual([true, "done", 1]);
});

test("streams come through in every tab, each at its own reader's pace", async () => {
  const tabs = openTabs();
  tabs.open("a");
  const streams = ["b", "c"].map((name) => tabs.open(name).ask("GET", `/stream-${name}`));
  await tabs.origin.settle();
  const [fast, slow] = streams;
  if (!fast || !slow) throw new Error("two streams");
  for (let n = 0; n < 40; n += 1) {
    sayOnStreams(tabs, `${n} `);
    await tabs.origin.settle();
    fast.more(1);
  }
  await tabs.origin.settle();
  expect(fast.text).toContain(" 39 ");
  // The slow reader got only the initial credit.
  expect(slow.text).toBe("hello 0 1 2 3 4 5 6 ");
  slow.more(2);
  await tabs.origin.settle();
  expect(slow.text).toBe("hello 0 1 2 3 4 5 6 7 8 ");
});

test("what a relay cancels, and what a closed tab had open, is cancelled in the engine", async () => {
  const tabs = openTabs();
  tabs.open("a");
  const [b, c] = [tabs.open("b"), tabs.open("c")];
  const stream = b.ask("GET", "/stream-b");
  c.ask("GET", "/stream-c");
  await tabs.origin.settle();
  const open = () => [...(tabs.engines[0]?.streams.keys() ?? [])];
  expect(open()).toEqual(["/stream-b", "/stream-c"]);
  stream.cancel();
  await tabs.origin.settle();
  expect(open()).toEqual(["/stream-c"]);
  c.close();
  await tabs.origin.settle();
  expect(open()).toEqual([]);
});

test("a tab whose engine can't start says so and leaves the others to try", async () => {
  const tabs = openTabs();
  tabs.broken.add("a");
  const [a, b] = [tabs.open("a"), tabs.open("b")];
  const [inA, inB] = [a.ask("PUT", "/a"), b.ask("PUT", "/b")];
  await tabs.origin.settle();
  expect(a.news).toEqual([{ kind: "failed", message: "no engine in a" }]);
  expect([inA.state, inA.text]).toEqual(["failed", "no engine in a"]);
  expect(b.news).toEqual([{ kind: "ready" }]);
  b.ask("PUT", "/b2");
  await tabs.origin.settle();
  expect(statesOf(tabs)[1]).toMatch(/^(done|failed) done$/);
  expect(inB.state).not.toBe("open");
  expect(tabs.origin.reported).toHaveLength(1);
});

test("ready is told in every tab, once calls can be answered", async () => {
  const tabs = openTabs();
  const pages = ["a", "b", "c"].map((name) => tabs.open(name));
  await tabs.origin.settle();
  expect(pages.map(({ news }) => news)).toEqual(pages.map(() => [{ kind: "ready" }]));
});

test("a line belongs to two: its name is drawn, and told to the leader alone on the common channel", async () => {
  const tabs = openTabs();
  for (const name of ["a", "b", "c"]) tabs.open(name).ask("PUT", `/${name}`);
  await tabs.origin.settle();
  const lines = new Set(tabs.origin.posted.map(({ channel }) => channel).filter((channel) => channel !== "project-tabs"));
  expect(lines.size).toBe(2);
  // Calls and keys never go over the channel that all tabs receive.
  const kinds = new Set(
    tabs.origin.posted.flatMap(({ channel, message }) =>
      channel === "project-tabs" && typeof message === "object" && message !== null && "kind" in message ? [message.kind] : [],
    ),
  );
  expect(kinds).toEqual(new Set(["who", "leader", "join"]));
});
