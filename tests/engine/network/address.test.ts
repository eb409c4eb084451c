import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isHostName, readAddress } from "../../../src/engine/network/address.ts";
import { reservedOrigins } from "../../../src/engine/network/reserved.ts";

const reserved = reservedOrigins(
  [
    "https://api.anthropic.com",
    "https://api.openai.com/v1/chat/completions",
    "localhost:11434/v1",
    "https://llm.example:8443/v1/",
    "not a host",
    "",
  ],
  "http://localhost:3001",
);

/** The host that the user would be asked about, or the error. */
function verdict(address: string): string {
  const read = readAddress(address, reserved);
  return read.ok ? read.host : read.why;
}

describe("an address that may be reached, and what the human is asked for", () => {
  test.each([
    ["https://example.com", "example.com"],
    ["https://example.com:443/x?y#z", "example.com"],
    ["https://example.com:8443/", "example.com:8443"],
    ["HTTPS://EXAMPLE.COM/", "example.com"],
    ["https://example.com./", "example.com"],
    ["https:\\\\example.com\\path", "example.com"],
    ["https:/example.com", "example.com"],
    ["https:////example.com", "example.com"],
    ["  https://exam\nple.com\t", "example.com"],
    ["https://ex%61mple.com", "example.com"],
    ["https://ＥＸＡＭＰＬＥ.com", "example.com"],
    ["https://example。com", "example.com"],
    ["https://münchen.example", "xn--mnchen-3ya.example"],
    ["https://аpple.com", "xn--pple-43d.com"],
    ["https://1.1.1.1/", "1.1.1.1"],
    ["https://16843009/", "1.1.1.1"],
    ["https://@example.com/", "example.com"],
    ["https://user-content.example/api.anthropic.com", "user-content.example"],
    ["https://api.anthropic.com.example/", "api.anthropic.com.example"],
    ["https://notapi.anthropic.com/", "notapi.anthropic.com"],
    ["http://localhost:8080/", "localhost:8080"],
    ["http://localhost/", "localhost"],
    ["http://LOCALHOST.:8080/", "localhost:8080"],
    ["http://127.0.0.1:8080/", "127.0.0.1:8080"],
    ["http://2130706433:8080/", "127.0.0.1:8080"],
    ["http://0x7f.1:8080/", "127.0.0.1:8080"],
    ["http://127.1:8080/", "127.0.0.1:8080"],
    ["http://[::1]:8080/", "[::1]:8080"],
    ["http://[0:0:0:0:0:0:0:1]:8080/", "[::1]:8080"],
    ["https://localhost:9000/", "localhost:9000"],
  ])("%s: %s", (address, host) => {
    expect(verdict(address)).toBe(host);
  });

  test("it is made with the host that was asked for", () => {
    const read = readAddress("https:\\\\Example.com.\\a b#c", reserved);
    expect(read.ok && read.url.href).toBe("https://example.com/a%20b");
  });
});

describe("an address that is never reached", () => {
  const https = /requires https:/;
  const own = /on this device|of this device|private network|local network/;
  const provider = /is a provider's host/;
  test.each<readonly [string, RegExp]>([
    ["http://example.com/", https],
    ["http://localhost.example/", https],
    ["http://127.0.0.1.nip.io/", https],
    ["ftp://example.com/", /only https:/],
    ["file:///etc/passwd", /only https:/],
    ["ws://localhost/", /only https:/],
    ["data:text/plain,x", /only https:/],
    ["javascript:1", /only https:/],
    ["blob:https://example.com/1", /only https:/],
    ["example.com", /is not an address/],
    ["https://", /is not an address/],
    ["https://exa mple.com", /is not an address/],
    ["https://example.com:99999", /is not an address/],
    ["https://[::1", /is not an address/],
    [`https://example.com/${"a".repeat(20_000)}`, /longer than/],
    ["https://user@example.com/", /user name or password/],
    ["https://:secret@example.com/", /user name or password/],
    ["https://example.com@evil.example/", /user name or password/],
    ["https://example.com%2f@evil.example/", /user name or password/],
    ["https://a..example/", /isn't a host/],
    ["https://.example/", /isn't a host/],
    ["https://example.com../", /isn't a host/],
    ["https://a_b.example/", /isn't a host/],
    ["https://a!b.example/", /isn't a host/],
    ["https://10.0.0.1/", own],
    ["https://0xa000001/", own],
    ["https://012.0.0.1/", own],
    ["https://172.16.0.1/", own],
    ["https://172.31.255.255/", own],
    ["https://192.168.1.1/", own],
    ["https://169.254.169.254/latest/meta-data", own],
    ["https://2852039166/", own],
    ["https://100.100.100.200/", own],
    ["https://0.0.0.0/", own],
    ["http://0/", /requires https:|private/],
    ["http://127.0.0.2:8080/", own],
    ["https://255.255.255.255/", own],
    ["https://[::]/", /IPv6/],
    ["https://[::ffff:127.0.0.1]/", /IPv6/],
    ["https://[::ffff:a9fe:a9fe]/", /IPv6/],
    ["https://[fe80::1]/", /IPv6/],
    ["https://[fd00:ec2::254]/", /IPv6/],
    ["https://[64:ff9b::7f00:1]/", /IPv6/],
    ["https://[2606:4700::1111]/", /IPv6/],
    ["https://router/", own],
    ["https://metadata/", own],
    ["https://metadata.google.internal/", own],
    ["https://printer.local/", own],
    ["https://x.localhost/", own],
    ["https://x.LOCALHOST./", own],
    ["https://fritz.home.arpa/", own],
    ["https://api.anthropic.com/v1/messages", provider],
    ["https://API.anthropic.com.:443/", provider],
    ["https://api.anthropic.com:8443/", provider],
    ["https://eu.api.anthropic.com/", provider],
    ["https:\\\\api.openai.com\\v1", provider],
    ["https://api。openai。com/", provider],
    ["https://api.%6Fpenai.com/", provider],
    ["https://llm.example/", provider],
    ["https://x.llm.example:1/", provider],
    ["http://localhost:11434/api/tags", provider],
    ["http://127.0.0.1:11434/", provider],
    ["http://[::1]:11434/", provider],
    ["https://127.1:11434/", provider],
    ["http://localhost:3001/", /Vibey's own host/],
    ["http://127.0.0.1:3001/file/doc-main.md", /Vibey's own host/],
    ["http://127.0.0.1:7870/api/sessions", /Vibey's bridge/],
    ["http://localhost:4003/v2/event", /Vibey's bridge/],
    ["http://[::1]:7870/", /Vibey's bridge/],
  ])("%s", (address, why) => {
    expect(verdict(address)).toMatch(why);
  });

  test("Vibey's own host, on every port, and not what is below it", () => {
    const at = (address: string) => readAddress(address, reservedOrigins([], "https://vibey.example")).ok;
    expect([at("https://vibey.example/"), at("https://vibey.example:8443/"), at("https://api.vibey.example/")]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

test("what is asked for always reads as itself", () => {
  const piece = fc.constantFrom(
    "https:",
    "//",
    "\\",
    "/",
    "@",
    ":",
    ".",
    "..",
    "a",
    "EXAMPLE",
    "com",
    "127.0.0.1",
    "[::1]",
    "0x7f",
    "%2e",
    "。",
    "８",
    "ß",
    "443",
    "\u00ad",
    "?",
    "#",
    " ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const read = readAddress(`https://${pieces.join("")}`, reserved);
      if (!read.ok) return;
      expect(isHostName(read.host)).toBe(true);
      expect(read.url.host).toBe(read.host);
      expect(read.url.username + read.url.password).toBe("");
      expect(readAddress(read.url.href, reserved)).toEqual(read);
    }),
  );
});

test.each([
  ["example.com", true],
  ["example.com:8443", true],
  ["localhost:3000", true],
  ["localhost:80", true],
  ["[::1]:3000", true],
  ["Example.com", false],
  ["example.com:443", false],
  ["example.com.", false],
  ["https://example.com", false],
  ["2130706433", false],
  ["10.0.0.1", false],
  ["*.example.com", false],
  ["münchen.example", false],
  ["", false],
])("a human can name %j: %j", (host, can) => {
  expect(isHostName(host)).toBe(can);
});
