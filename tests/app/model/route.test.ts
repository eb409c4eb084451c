import { describe, expect, test } from "vitest";
import { formatRoute, parseRoute, type Route } from "../../../src/app/model/route.ts";

const id = "20261121-201100-plan";

describe("the events of the history", () => {
  const routes: readonly (readonly [string, Route])[] = [
    ["#/history/events", { tab: "history", events: {} }],
    ["#/history/events/dialog/20261121-201100-plan", { tab: "history", events: { dialog: id } }],
    [
      "#/history/events/dialog/20261121-201100-plan/type/tool_call/tool/run_command/severity/error",
      { tab: "history", events: { dialog: id, type: "tool_call", tool: "run_command", severity: "error" } },
    ],
    ["#/history/events/tool/a%2Ftype%2Ftext", { tab: "history", events: { tool: "a/type/text" } }],
    ["#/history/events/dialog/type", { tab: "history", events: { dialog: "type" } }],
  ];
  test.each(routes)("%s", (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
    expect(formatRoute(route)).toBe(hash);
  });

  test.each([
    ["#/history/events/", {}],
    ["#/history/events/tool", {}],
    ["#/history/events/tool/", {}],
    ["#/history/events/colour/red/tool/a", { tool: "a" }],
    ["#/history/events/severity/info/type/text", { type: "text", severity: "info" }],
    ["#/history/events/tool/a/tool/b", { tool: "a" }],
    ["#/history/events/toString/x", {}],
  ])("%s is heard as far as it is understood", (hash, events) => {
    expect(parseRoute(hash)).toEqual({ tab: "history", events });
  });

  test("no commit is taken for them", () => {
    expect(parseRoute("#/history/eve")).toEqual({ tab: "history", commit: "eve", path: null });
    expect(parseRoute("#/history/of/events")).toEqual({ tab: "history", commit: null, path: "events" });
    expect(parseRoute("#/history/by/events")).toEqual({ tab: "history", commit: null, path: null, by: "events" });
  });
});

describe("a place in the file of a dialog", () => {
  test.each([
    ["#/dialogs/20261121-201100-plan/place/3", { section: 3 }],
    ["#/dialogs/20261121-201100-plan/place/3.1", { section: 3, part: 1 }],
    ["#/dialogs/20261121-201100-plan/place/0.0", { section: 0, part: 0 }],
  ])("%s", (hash, text) => {
    const route: Route = { tab: "dialogs", dialogId: id, text };
    expect(parseRoute(hash)).toEqual(route);
    expect(formatRoute(route)).toBe(hash);
  });

  test.each(["", "/", "/x", "/-1", "/1.", "/1.2.3", "/9999999999"])("place%s is the whole file", (rest) => {
    expect(parseRoute(`#/dialogs/${id}/place${rest}`)).toEqual({ tab: "dialogs", dialogId: id, text: "whole" });
  });
});
