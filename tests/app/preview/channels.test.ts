import { expect, it, test } from "vitest";
import { headersFor, readHeaderRules } from "../../../scripts/headers.mjs";
import { type Engine, engineOf, openChannels } from "../../../src/app/preview/channels.ts";
import { isListed } from "../../../src/app/preview/shut-off.ts";

it.each<[string, string, readonly string[] | undefined, Engine]>([
  ["Chromium by its brands", "", ["Not=A?Brand 24", "Chromium 156"], { name: "chromium", version: 156 }],
  [
    "Chromium by its name",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/155.0.0.0 Safari/537.36",
    undefined,
    { name: "chromium", version: 155 },
  ],
  ["Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", undefined, { name: "gecko" }],
  [
    "Safari",
    "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    undefined,
    { name: "webkit" },
  ],
  ["a browser that does not say", "Browser/1", undefined, { name: "unknown" }],
])("%s is recognized", (_what, userAgent, brands, engine) => {
  const userAgentData = brands && {
    brands: brands.map((each) => ({ brand: each.split(" ")[0] ?? "", version: each.split(" ")[1] ?? "" })),
  };
  expect(engineOf({ userAgent, ...(userAgentData && { userAgentData }) })).toEqual(engine);
});

test("only a Chromium that obeys the list, with the list, has no open channel", () => {
  expect(openChannels({ name: "chromium", version: 156 }, true)).toEqual([]);
  expect(openChannels({ name: "chromium", version: 156 }, false)).toEqual(["navigation"]);
  expect(openChannels({ name: "chromium", version: 155 }, true)).toEqual(["navigation"]);
  for (const name of ["gecko", "webkit", "unknown"] as const)
    for (const listed of [true, false]) expect(openChannels({ name }, listed)).toContain("untested");
});

it.each([
  ["the shipped list", true, headersFor(readHeaderRules("public/_headers"), "/preview/index.html")["Connection-Allowlist"] ?? null],
  ["an empty list", true, "()"],
  ["no list", false, null],
  ["a list with another host", false, '(response-origin "https://elsewhere.example")'],
  ["two lists", false, "(response-origin), (response-origin)"],
  ["a word", false, "response-origin"],
])("%s: %s", (_what, listed, value) => expect(isListed(value)).toBe(listed));
