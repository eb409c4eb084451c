import { describe, expect, test } from "vitest";
import { limits } from "../../../src/protocol/limits.ts";
import type { Sending, Sent } from "../../../src/engine/network/send.ts";
import type { NetRequest } from "../../../src/shell/network.ts";
import { answer, askedFor, begin, command, done, go, type Wired, wired, word } from "./commands.ts";

/** The answers by address; `ok` for all others. */
type Web = Readonly<Record<string, Sent>>;

function to(location: string | null, status = 302): Sent {
  if (location === null) return { kind: "redirect", location, answer: null };
  return { kind: "redirect", location, answer: answer("", status, "moved", { location }) };
}

async function visit(
  web: Web,
  line: string,
  hosts: readonly string[],
  more: Partial<NetRequest> = {},
): Promise<{ b: Wired; got: string; sent: readonly Sending[] }> {
  const b = await wired([command("c1", line), done], {
    reply: ({ url }) => {
      const found = web[url] ?? answer(url);
      return found.kind === "redirect" && found.answer ? { ...found, answer: { ...found.answer, url } } : found;
    },
    more,
  });
  const id = await begin(b);
  await b.ask("PUT", "/dialog", { dialogId: id, network: hosts.map((host) => ({ host, allow: "any method and uploads" })) });
  await (await go(b, id)).text();
  expect([b.clock, b.reported]).toEqual([[], []]);
  return { b, got: b.answers.get(line) ?? "", sent: b.sent };
}

const path = (sent: readonly Sending[]) => sent.map(({ method, url }) => `${method} ${url}`);

describe("a redirect", () => {
  test.each<readonly [string, string]>([
    ["/y", "https://a.example/y"],
    ["y?z#f", "https://a.example/y?z"],
    ["//b.example/", "https://b.example/"],
    ["https://b.example./", "https://b.example/"],
    ["\\\\b.example\\y", "https://b.example/y"],
    ["", "https://a.example/x"],
  ])("to %j is followed to %s", async (location, end) => {
    const { sent, got } = await visit(
      { "https://a.example/": to("/x", 307), "https://a.example/x": location === "" ? answer("https://a.example/x") : to(location) },
      "GET https://a.example/",
      ["a.example", "b.example"],
    );
    expect(got).toBe(`200 ${end}`);
    expect(sent.at(-1)?.url).toBe(end);
  });

  test.each<readonly [string, RegExp]>([
    ["https://api.example/v1", /a\.example redirects, and api\.example is a provider's host/],
    ["https://vibey.example/", /Vibey's own host/],
    ["https://169.254.169.254/latest", /private network/],
    ["https://10.1.2.3/", /private network/],
    ["http://b.example/", /requires https:/],
    ["https://u:p@b.example/", /user name or password/],
    ["javascript:alert(1)", /only https:/],
    ["file:///etc/passwd", /only https:/],
    ["https://[::ffff:127.0.0.1]/", /IPv6/],
    ["https://exa mple/", /not an address/],
    ["http://localhost:8080/", /no other host leads a command to this device/],
    ["http://127.0.0.1:8080/", /no other host leads a command to this device/],
  ])("to %s is not followed, whatever the human allowed", async (location, why) => {
    const { sent, got } = await visit({ "https://a.example/": to(location) }, "GET https://a.example/", [
      "a.example",
      "b.example",
      "localhost:8080",
      "127.0.0.1:8080",
    ]);
    expect(got).toMatch(/^refused: /);
    expect(got).toMatch(why);
    expect(path(sent)).toEqual(["GET https://a.example/"]);
  });

  test("from this device to itself and away from it", async () => {
    const { sent } = await visit(
      { "http://localhost:8080/": to("http://127.0.0.1:9090/"), "http://127.0.0.1:9090/": to("https://a.example/") },
      "GET http://localhost:8080/",
      ["a.example", "localhost:8080", "127.0.0.1:9090"],
    );
    expect(sent).toHaveLength(3);
  });

  test("to a host that nobody has said a word about asks for that host", async () => {
    const b = await wired([command("c1", "GET https://a.example/"), done], {
      reply: ({ url }) => (url === "https://a.example/" ? to("https://b.example/secret") : answer(url)),
    });
    const id = await begin(b);
    await word(b, id, "a.example", true);
    const turn = await go(b, id);
    expect(await askedFor(b, id, "b.example")).toMatchObject({ method: "GET", url: "https://b.example/secret" });
    expect(path(b.sent)).toEqual(["GET https://a.example/"]);
    await word(b, id, "b.example", false);
    await turn.text();
    expect(path(b.sent)).toEqual(["GET https://a.example/"]);
    expect(b.answers.get("GET https://a.example/")).toMatch(/the user blocked b\.example/);
  });

  test(`${limits.networkRedirects} of them are followed, and no more`, async () => {
    const web = (count: number): Web =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`https://a.example/${index}`, to(`/${index + 1}`)]));
    const most = await visit(web(limits.networkRedirects), "GET https://a.example/0", ["a.example"]);
    expect(most.got).toBe(`200 https://a.example/${limits.networkRedirects}`);
    const more = await visit(web(limits.networkRedirects + 1), "GET https://a.example/0", ["a.example"]);
    expect(more.got).toMatch(/^failed: too many redirects from a\.example \(limit: \d+\)$/);
    expect(more.sent).toHaveLength(limits.networkRedirects + 1);
  });

  test("in a circle ends", async () => {
    const { got } = await visit({ "https://a.example/": to("/") }, "GET https://a.example/", ["a.example"]);
    expect(got).toMatch(/^failed: /);
  });

  test("that is not to be followed is the answer", async () => {
    const { got, sent } = await visit({ "https://a.example/": to("https://b.example/") }, "GET https://a.example/", ["a.example"], {
      follow: false,
    });
    expect([got, sent.length]).toEqual(["302 https://a.example/", 1]);
  });

  test.each([true, false])("that the browser hides is not followed (asked to: %j)", async (follow) => {
    const { got, sent } = await visit({ "https://a.example/": to(null) }, "GET https://a.example/", ["a.example"], { follow });
    expect(got).toBe(
      "failed: a.example redirected. The browser doesn't reveal where, so the redirect wasn't followed. Use the final address",
    );
    expect(sent).toHaveLength(1);
  });

  const body = new TextEncoder().encode("secret");
  test.each<readonly [string, number, string, boolean]>([
    ["POST", 301, "GET", false],
    ["POST", 302, "GET", false],
    ["POST", 303, "GET", false],
    ["POST", 307, "POST", true],
    ["POST", 308, "POST", true],
    ["PUT", 301, "PUT", true],
    ["PUT", 303, "GET", false],
    ["DELETE", 302, "DELETE", true],
  ])("of %s with %i asks again with %s; with its body: %j", async (method, status, then, keeps) => {
    const { sent } = await visit({ "https://a.example/": to("/next", status) }, `${method} https://a.example/`, ["a.example"], {
      body,
      headers: [
        ["content-type", "text/plain"],
        ["accept", "x/y"],
      ],
    });
    expect(sent[1]).toEqual({
      url: "https://a.example/next",
      method: then,
      headers: keeps
        ? [
            ["content-type", "text/plain"],
            ["accept", "x/y"],
          ]
        : [["accept", "x/y"]],
      body: keeps ? body : null,
    });
  });

  test("takes what says who asks to no other origin, and not back again", async () => {
    const headers = [
      ["Authorization", "Bearer secret"],
      ["X-Api-Key", "secret"],
      ["X-Goog-Api-Key", "secret"],
      ["apikey", "secret"],
      ["X-Vault-Token", "secret"],
      ["Ocp-Apim-Subscription-Key", "secret"],
      ["Idempotency-Key", "1"],
      ["accept", "x/y"],
    ] as const;
    const { sent } = await visit(
      {
        "https://a.example/": to("/same"),
        "https://a.example/same": to("https://a.example:8443/"),
        "https://a.example:8443/": to("https://a.example/back"),
      },
      "GET https://a.example/",
      ["a.example", "a.example:8443"],
      { headers },
    );
    const all = headers.map(([name]) => name.toLowerCase()).join(" ");
    expect(sent.map((each) => each.headers.map(([name]) => name).join(" "))).toEqual([
      all,
      all,
      "idempotency-key accept",
      "idempotency-key accept",
    ]);
  });
});
