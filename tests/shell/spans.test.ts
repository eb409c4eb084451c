import { expect, test } from "vitest";
import { createSpan, type Signal, type Span } from "../../src/shell/embedded/spans.ts";

const term: Signal = { name: "SIGTERM", number: 15 };

/** A span, and the number of its listeners. */
function counted(): { readonly span: ReturnType<typeof createSpan>; readonly watched: Span; readonly listening: () => number } {
  const span = createSpan(null, () => undefined);
  let count = 0;
  const watched: Span = Object.create(span, {
    onSignal: {
      value: (listener: (signal: Signal) => unknown) => {
        count++;
        const stop = span.onSignal(listener);
        return () => {
          count--;
          stop();
        };
      },
    },
  });
  return { span, watched, listening: () => count };
}

test("a span that is closed and empty listens to none", () => {
  const { watched, listening } = counted();
  for (let i = 0; i < 10; i++) createSpan(watched, () => undefined).close();
  expect(listening()).toBe(0);
});

test("one that is closed hears of signals as long as something is in it", () => {
  const { span, watched, listening } = counted();
  const closed = createSpan(watched, () => undefined);
  const heard: string[] = [];
  const leave = closed.onSignal(({ name }) => heard.push(name));
  closed.close();
  expect(listening()).toBe(1);
  span.send(term);
  leave();
  expect([heard, listening()]).toEqual([["SIGTERM"], 0]);
});

test("one that begins in a closed span hears of signals", () => {
  const { span, watched } = counted();
  const closed = createSpan(watched, () => undefined);
  closed.close();
  const inside = createSpan(closed, () => undefined);
  expect(inside.isOver()).toBe(false);
  span.send(term);
  expect([inside.isOver(), inside.sent]).toEqual([true, term]);
});
