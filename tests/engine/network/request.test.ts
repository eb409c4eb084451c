import { describe, expect, test } from "vitest";
import { limits } from "../../../src/protocol/limits.ts";
import { requestHeaders } from "../../../src/engine/network/headers.ts";
import type { NetRequest } from "../../../src/shell/network.ts";
import { begin, command, done, go, wired, word } from "./commands.ts";

describe("headers of a request", () => {
  test.each<readonly [string, string, string | null]>([
    ["Accept", "x/y", "accept: x/y"],
    ["Authorization", "Bearer x", "authorization: Bearer x"],
    ["X-Own", "ü", "x-own: ü"],
    ["X-HTTP-Method-Override", "PATCH", "x-http-method-override: PATCH"],
    ["Host", "A.example", ""],
    ["User-Agent", "git/2", ""],
    ["Content-Length", "5", ""],
    ["Accept-Encoding", "gzip", ""],
    ["Connection", "close", ""],
    ["Host", "b.example", null],
    ["Cookie", "a=b", null],
    ["Set-Cookie", "a=b", null],
    ["Origin", "https://b.example", null],
    ["Referer", "https://b.example", null],
    ["Sec-Fetch-Site", "none", null],
    ["Proxy-Authorization", "x", null],
    ["X-HTTP-Method-Override", " trace", null],
    ["a b", "x", null],
    ["", "x", null],
    ["x", "a\r\nCookie: b", null],
    ["x", "a\0", null],
    ["x", "日本", null],
  ])("%s: %j goes as %j (null: the request fails)", (name, value, expected) => {
    const read = requestHeaders([[name, value]], "a.example");
    expect(read.ok ? read.headers.map((pair) => pair.join(": ")).join() : null).toBe(expected);
  });
});

describe("a request that can't be made", () => {
  test.each<readonly [string, Partial<NetRequest>, RegExp]>([
    ["TRACE https://a.example/", {}, /^failed: the method "TRACE" can't be used/],
    ["get https://a.example/", {}, /^failed: the method "get" can't be used/],
    ["GET https://a.example/", { body: new Uint8Array(1) }, /^failed: browsers can't send a body with GET/],
    ["POST https://a.example/", { body: new Uint8Array(limits.networkRequestBytes + 1) }, /^failed: .* at most 16 MB can be sent/],
    ["GET https://a.example/", { headers: [["Cookie", "a=b"]] }, /^failed: .* the header cookie .* leave the header out/],
    ["GET http://a.example/", {}, /^refused: a\.example requires https:/],
    ["GET https://api.example/v1/messages", {}, /^refused: api\.example is a provider's host/],
    ["GET https://x.api.example/", {}, /^refused: x\.api\.example is a provider's host/],
    ["GET https://vibey.example/", {}, /^refused: vibey\.example is Vibey's own host/],
  ])("%s says why, and nobody is asked", async (line, more, why) => {
    const b = await wired([command("c1", line), done], { more });
    const id = await begin(b);
    await (await go(b, id)).text();
    expect(b.answers.get(line)).toMatch(why);
    expect([b.sent, b.clock, b.reported]).toEqual([[], [], []]);
  });
});

test("what goes out is the address that was judged, and nothing that the browser must not send", async () => {
  const line = "POST https:\\\\A.example.:443/a\\b?c#d";
  const body = new TextEncoder().encode("x");
  const b = await wired([command("c1", line), done], {
    more: {
      body,
      headers: [
        ["User-Agent", "curl/8"],
        ["X-Own", "1"],
      ],
    },
  });
  const id = await begin(b);
  await word(b, id, "a.example", "any method and uploads");
  await (await go(b, id)).text();
  expect(b.sent).toEqual([{ url: "https://a.example/a/b?c", method: "POST", headers: [["x-own", "1"]], body }]);
});

test("a mistake of ours is an answer", async () => {
  const b = await wired([command("c1", "GET https://a.example/"), done], {
    reply: () => {
      throw new Error("broken");
    },
  });
  const id = await begin(b);
  await word(b, id, "a.example", true);
  await (await go(b, id)).text();
  expect(b.answers.get("GET https://a.example/")).toBe("failed: Vibey failed: broken");
  expect(b.reported).toMatchObject([{ message: "broken" }]);
});
