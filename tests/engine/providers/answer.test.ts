import { describe, expect, test } from "vitest";
import { createAnswer, parseInput } from "../../../src/engine/providers/answer.ts";
import type { ProviderEvent, Stop } from "../../../src/engine/providers/provider.ts";
import { summary } from "./events.ts";

test.each([[[]], [[""]], [[" "]], [["\n", " \t", "\r\n\n", "\u00a0\u3000"]]])("an answer of %j is empty", (texts) => {
  const answer = createAnswer();
  for (const text of texts) answer.say(text);
  expect(answer.finish({ kind: "end" }).stop).toMatchObject({ kind: "error", reason: "empty" });
});

test.each([[["a"]], [["\n", "a"]], [[" ", "0"]]])("an answer of %j is not", (texts) => {
  const answer = createAnswer();
  for (const text of texts) answer.say(text);
  expect(answer.finish({ kind: "end" }).stop).toEqual({ kind: "end" });
});

test("neither is a call behind white space", () => {
  const answer = createAnswer();
  answer.say("\n");
  answer.begin({ id: "a", name: "x", whole: true, closed: true, input: () => ({ ok: true, value: {} }) });
  const { events, stop } = answer.finish({ kind: "end" });
  expect([stop.kind, events.map(({ type }) => type)]).toEqual(["end", ["call_start", "call"]]);
});

describe("everything is given as it comes, and stands in the order in which it began", () => {
  interface Given {
    name: string;
    json: string;
    whole: boolean;
    closed: boolean;
  }

  /**
   * Plays a script of words: `a` says a text, `+x` begins a call, `x:{}` adds JSON to it, `x!` completes it, `x.` closes it. Returns the
   * dialog's content after each word and at the end.
   */
  function play(script: string, stop: Stop = { kind: "end" }): string[] {
    const answer = createAnswer();
    const calls = new Map<string, Given>();
    const events: ProviderEvent[] = [];
    const seen: string[] = [];
    for (const word of script.split(" ")) {
      const [, key = "", what = "", json = ""] = /^([a-z])([:!.=]?)(.*)$/.exec(word.replace("+", "")) ?? [];
      const call = calls.get(key);
      if (word.startsWith("+")) {
        const made: Given = { name: what === "=" ? "" : key, json: "", whole: false, closed: false };
        calls.set(key, made);
        answer.begin({
          id: key,
          get name() {
            return made.name;
          },
          get whole() {
            return made.whole;
          },
          get closed() {
            return made.closed;
          },
          input: () => parseInput(made.json),
        });
      } else if (call === undefined) events.push(...answer.say(word));
      else if (what === ":") call.json += json;
      else if (what === "=") call.name = json;
      else if (what === "!") call.whole = true;
      else call.closed = true;
      events.push(...answer.news());
      seen.push(summary(events).join(" "));
    }
    const end = answer.finish(stop);
    return [...seen, summary([...events, ...end.events, { type: "end", stop: end.stop }]).join(" ")];
  }
  const cut: Stop = { kind: "interrupted", message: "cut" };

  test.each<[string, string, string[]]>([
    ["text, call, text", "T +a a:{} a! U", ['"T"', '"T" a[a]…', '"T" a[a]…', '"T" a[a]{}', '"T" a[a]{} "U"', '"T" a[a]{} "U" end']],
    ["a call that only the end closes", "+a a:{} a. U", ["a[a]…", "a[a]…", "a[a]…", 'a[a]… "U"', 'a[a]{} "U" end']],
    [
      "text in the midst of a call",
      "T +a U a:{} a!",
      ['"T"', '"T" a[a]…', '"T" a[a]… "U"', '"T" a[a]… "U"', '"T" a[a]{} "U"', '"T" a[a]{} "U" end'],
    ],
    [
      "calls that are whole the other way round",
      "+a +b b! a!",
      ["a[a]…", "a[a]… b[b]…", "a[a]… b[b]{}", "a[a]{} b[b]{}", "a[a]{} b[b]{} end"],
    ],
    ["a name that comes late", "+a= a:{} a=x a!", ["", "", "x[a]…", "x[a]{}", "x[a]{} end"]],
    ["text before the name", "+a= T a=x a!", ["", '[a]… "T"', '[a]… "T"', 'x[a]{} "T"', 'x[a]{} "T" end']],
    ["no name at all", "+a= a.", ["", "", "[a]{} end"]],
  ])("%s", (_what, script, expected) => {
    expect(play(script)).toEqual(expected);
  });

  test.each<[string, string, string]>([
    ["a call that is closed is not whole", "T +a a:{} a. U", '"T" a[a]… "U" interrupted'],
    ["a call that is whole", "T +a a:{} a! U", '"T" a[a]{} "U" interrupted'],
    ["one of two", "+a +b b! U", 'a[a]… b[b]{} "U" interrupted'],
  ])("a cut: %s", (_what, script, expected) => {
    expect(play(script, cut).at(-1)).toBe(expected);
  });

  test("the end in the midst of a call is a cut, and the others stay", () => {
    expect(play("+a a! T +b b:{").at(-1)).toBe('a[a]{} "T" b[b]… interrupted');
  });

  test("a call that goes on though it was whole makes the whole response one that did not end well", () => {
    expect(play('+a a:{} a! a:{"x":1}').at(-1)).toBe("a[a]{} interrupted");
  });
});
