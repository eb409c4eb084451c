import { expect, it } from "vitest";
import { headersFor, readHeaderRules } from "../../../scripts/headers.mjs";
import { isShutOff } from "../../../src/app/preview/shut-off.ts";

const shipped = headersFor(readHeaderRules("public/_headers"), "/preview/index.html")["Content-Security-Policy"] ?? null;

it.each([
  ["the shipped policy", true, shipped],
  ["with nothing allowed", true, "sandbox"],
  ["behind other directives", true, "default-src 'none';  SANDBOX  allow-scripts"],
  ["in one of two policies", true, "default-src 'none', sandbox allow-scripts"],
  ["no policy", false, null],
  ["an empty one", false, ""],
  ["a policy without it", false, "default-src 'none'; script-src 'unsafe-inline'"],
  ["one that gives the origin back", false, "sandbox allow-scripts allow-same-origin"],
  ["in other letters", false, "sandbox Allow-Same-Origin"],
  ["a second one, which does not count", false, "sandbox allow-same-origin; sandbox allow-scripts"],
  ["a word that only begins like it", false, "sandboxed allow-scripts"],
])("%s: %s", (_what, shut, policy) => expect(isShutOff(policy)).toBe(shut));
