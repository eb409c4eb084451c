import { expect, it } from "vitest";
import { headersFor, readHeaderRules } from "../../../scripts/headers.mjs";
import { takesOrigin } from "../../../src/app/engine-client/program-frames.ts";

const shipped = headersFor(readHeaderRules("public/_headers"), "/program/index.html")["Content-Security-Policy"] ?? null;

it.each([
  ["the shipped policy", true, shipped],
  ["a sandbox with its origin", false, "sandbox allow-scripts allow-same-origin; default-src 'none'"],
  ["another policy before it", false, "default-src 'none', sandbox allow-scripts"],
  ["no sandbox", false, "default-src 'none'"],
  ["no policy", false, null],
])("%s: %s", (_what, taken, policy) => expect(takesOrigin(policy)).toBe(taken));
