import { expect, test } from "vitest";
import { reachOf } from "../../../src/engine/gateways/allowed.ts";

test.each([
  ["GET", "/keys"],
  ["POST", "/keys/unlock"],
  ["POST", "/keys/remember"],
  ["GET", "/outside/keys"],
  ["POST", "/outside/keys"],
  ["PUT", "/bridge"],
  ["GET", "/bridge"],
  ["GET", "/recovery"],
  ["GET", "/copy.zip"],
  ["DELETE", "/deed/a.txt"],
  ["DELETE", "/dialog/x"],
  ["PUT", "/provider/claude"],
  ["POST", "/project.zip"],
  ["POST", "/projects"],
  ["PUT", "/prices"],
  ["POST", "/agents/import"],
])("no program does this over the bridge, whatever it may: %s %s", (method, path) => {
  expect(reachOf(method, path)).toBe("never");
});

test.each([
  ["GET", "/dialogs", "with all"],
  ["PUT", "/dialog", "with all"],
  ["GET", "/provider/claude", "with all"],
  ["GET", "/keysmith", "with all"],
  ["GET", "/api/sessions", "always"],
  ["POST", "/v2/event", "always"],
  ["POST", "/apis", "with all"],
  ["PUT", "/agents/runs", "with all"],
])("%s %s: %s", (method, path, reach) => {
  expect(reachOf(method, path)).toBe(reach);
});
