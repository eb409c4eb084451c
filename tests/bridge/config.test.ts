import { expect, test } from "vitest";
import { readConfig } from "../../bridge/config.ts";

const long = { VIBECHECK_PSK: "a-key-that-is-long-enough" };

test.each([
  ["no key", {}, [], /VIBECHECK_PSK is not set/],
  ["an empty key", { VIBECHECK_PSK: " " }, [], /VIBECHECK_PSK is not set/],
  ["a short key for others to guess", { VIBECHECK_PSK: "dev" }, ["--lan"], /fewer than 16 characters/],
  ["agents without a key for anyone near", long, ["--lan", "--open-agents"], /--open-agents/],
  ["a port that is none", long, ["--port", "x"], /--port/],
  ["an origin that is none", long, ["--origin", "https://vibey.example/app"], /--origin/],
  ["a certificate without its key", long, ["--cert", "cert.pem"], /--cert, --key: expected both/],
  ["a key of a certificate without one", long, ["--key", "key.pem"], /--cert, --key: expected both/],
  ["an option that is none", long, ["--psk", "x"], /--psk/],
])("refuses to start with %s, in a sentence", (_, env, args, why) => {
  expect(readConfig(env, args)).toEqual({ ok: false, why: expect.stringMatching(why) });
});

test("a key that can be guessed is for this machine only, with a warning; a long one without", () => {
  expect(readConfig({ VIBECHECK_PSK: "dev" }, [])).toMatchObject({
    ok: true,
    config: { host: "127.0.0.1" },
    warnings: [expect.stringContaining("can be guessed")],
  });
  expect(readConfig(long, [])).toMatchObject({ ok: true, config: { host: "127.0.0.1", port: 7870, agentPort: 4003 }, warnings: [] });
  expect(readConfig(long, ["--lan"])).toMatchObject({ ok: true, config: { host: "0.0.0.0" } });
  expect(readConfig(long, [])).toMatchObject({ ok: true, config: { certificate: null } });
  const given = readConfig(long, ["--lan", "--cert", "a.pem", "--key", "b.pem"]);
  expect(given).toMatchObject({ ok: true, config: { host: "0.0.0.0", certificate: { cert: "a.pem", key: "b.pem" } } });
});
