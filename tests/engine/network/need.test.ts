import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "../../../src/protocol/limits.ts";
import { needOf } from "../../../src/engine/network/need.ts";
import { unexplainedBytes } from "../../../src/engine/network/negotiation.ts";
import type { Sending } from "../../../src/engine/network/send.ts";

/** How much a request says, wherever in it the words are. */

const get = (headers: Sending["headers"]): Sending => ({ url: "https://a.example/", method: "GET", headers, body: null });
const known = { text: null, fromServer: false, advertised: new Set<string>() };

describe("headers", () => {
  test("a name carries as much as a value does", () => {
    const names = Array.from({ length: 20 }, (_, nth) => [`x-${"secret".repeat(5)}-${nth}`, ""] as const);
    expect(needOf(get(names), known)).toMatchObject({ needs: "any method and uploads", carries: ["address"] });
  });

  test("what stands in an approved text is read, but many small parts of it are words again", () => {
    const text = "curl -H 'X-Note: a long note that a person has read' https://a.example/ abcdefghijklmnopqrstuvwxyz";
    const one = [["x-note", "a long note that a person has read"]] as const;
    expect(needOf(get(one), { ...known, text })).toMatchObject({ needs: "GET only", carries: [] });
    const parts = "abcdefghijklmnopqrstuvwxyz".split("").flatMap((name) => ["b", "d", "f", "h", "j"].map((next) => [name, next] as const));
    expect(needOf(get(parts), { ...known, text })).toMatchObject({ needs: "any method and uploads", carries: ["address"] });
  });

  test("those that programs send anyway are a read", () => {
    const headers = [
      ["accept", "application/x-git-upload-pack-result"],
      ["content-type", "application/x-git-upload-pack-request"],
      ["git-protocol", "version=1"],
      ["user-agent", "git/2.50.0"],
    ] as const;
    expect(needOf(get(headers), known)).toMatchObject({ needs: "GET only", carries: [] });
  });
});

const oidOf = (nth: number): string => nth.toString(16).padStart(40, "0");
const line = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const told = (count: number): Set<string> => new Set(Array.from({ length: count }, (_, nth) => oidOf(nth)));
const wants = (places: readonly number[], word = "want"): string => places.map((place) => line(`${word} ${oidOf(place)}\n`)).join("");

describe("a question for what a repository holds", () => {
  test.each([1, 40, 1_000, 20_000])("for all of %i names that its server told, or all but some in a row, is a read", (count) => {
    const all = Array.from({ length: count }, (_, nth) => nth);
    const most = all.filter((nth) => nth < count / 4 || nth > count / 2);
    for (const places of [all, most]) {
      const body = bytes(`${wants(places)}0000${wants(places, "have")}${line("done\n")}`);
      expect(unexplainedBytes(body, told(count))).toBeLessThanOrEqual(limits.networkUnseen / 4);
    }
  });

  test("tags of which every second name is asked for are a read in a repository of a thousand", () => {
    const places = Array.from({ length: 500 }, (_, nth) => 2 * nth);
    expect(unexplainedBytes(bytes(`${wants(places)}0000${line("done\n")}`), told(1_000))).toBeLessThanOrEqual(limits.networkUnseen);
  });

  test("a secret spelled with the server's own names counts as a secret", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: limits.networkUnseen, maxLength: 600 }), (secret) => {
        const spelled = bytes(wants([...secret]));
        expect(unexplainedBytes(spelled, told(256))).toBeGreaterThanOrEqual(secret.length / 8);
      }),
    );
    const secret = Array.from({ length: 600 }, (_, nth) => (nth * 89 + 7) % 251);
    const body = bytes(wants(secret));
    const sending: Sending = {
      url: "https://a.example/r/git-upload-pack",
      method: "POST",
      headers: [["content-type", "application/x-git-upload-pack-request"]],
      body,
    };
    expect(needOf(sending, { ...known, advertised: told(256) })).toMatchObject({ needs: "any method and uploads", carries: ["body"] });
  });

  test.each([
    [
      "which names of many are left out",
      wants(Array.from({ length: 8_000 }, (_, nth) => nth).filter((nth) => (nth * 7919) % 31 < 15)),
      8_000,
    ],
    ["the word before each name", Array.from({ length: 4_000 }, (_, nth) => wants([nth], nth % 3 === 0 ? "want" : "have")).join(""), 4_000],
    [
      "the ends of lines",
      Array.from({ length: 4_000 }, (_, nth) => line(`want ${oidOf(nth)}${nth % 2 === 0 ? "\n" : ""}`)).join(""),
      4_000,
    ],
    ["marks between lines", Array.from({ length: 4_000 }, (_, nth) => wants([nth]) + (nth % 3 === 0 ? "0000" : "")).join(""), 4_000],
  ])("%s says something, too", (_how, body, count) => {
    expect(unexplainedBytes(bytes(body), told(count))).toBeGreaterThan(limits.networkUnseen);
  });
});
