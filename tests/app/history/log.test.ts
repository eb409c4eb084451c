import { describe, expect, test, vi } from "vitest";
import { filterOf, kindGroups, matchesFilter } from "../../../src/app/history/event-filter.ts";
import { withArrived } from "../../../src/app/history/log.ts";
import { fetchLog, logQuery, openLog, readLog } from "../../../src/app/model/api/log.ts";
import { kinds } from "../../../src/app/texts/events.ts";
import type { LogFilter } from "../../../src/protocol/index.ts";
import { dialogId, eventOf, nth } from "./an-event.ts";

const ids = (events: readonly { readonly cursor: string }[]) => events.map(({ cursor }) => cursor).join(" ");

test("what arrived stands before what is known, the newest first, each once", () => {
  const known = [nth(3), nth(2)];
  expect(ids(withArrived([nth(3), nth(4), nth(5)], known))).toBe("c5 c4 c3 c2");
  expect(withArrived([nth(2), nth(3)], known)).toBe(known);
  expect(ids(withArrived([nth(1)], []))).toBe("c1");
});

test("what the user edited since goes, also where a filter hides what replaces it", () => {
  const [old, other] = [nth(1, { severity: "error" }), nth(2, { id: "20261121-201200-other/0/0.text", dialogId: "20261121-201200-other" })];
  const edited = nth(3, { id: `${dialogId}/1/0.text` });
  const isError = ({ severity }: { readonly severity: string }) => severity === "error";
  expect(ids(withArrived([edited], [other, old]))).toBe("c3 c2");
  expect(ids(withArrived([edited], [other, old], isError))).toBe("c2");
  const known = [other];
  expect(withArrived([edited], known, isError)).toBe(known);
  expect(ids(withArrived([nth(4)], [edited, other]))).toBe("c3 c2");
});

describe("filters", () => {
  const approval = eventOf({ type: "approval", data: { call: "a", tool: "write_file", decision: "approved", from: "human" } });
  const outside = nth(1, { actor: { kind: "outside", agentId: "bot", framework: "x" }, severity: "error" });

  test.each<readonly [LogFilter, boolean, boolean]>([
    [{}, true, true],
    [{ dialog: dialogId }, true, true],
    [{ dialog: "another" }, false, false],
    [{ types: ["text", "approval"] }, true, true],
    [{ types: ["text"] }, false, true],
    [{ tool: "write_file" }, true, false],
    [{ tool: "edit_file" }, false, false],
    [{ severity: "error" }, false, true],
    [{ by: "agent" }, true, true],
    [{ by: "human" }, false, false],
    [{ tool: "write_file", severity: "error" }, false, false],
  ])("%j", (filter, first, second) => {
    expect([matchesFilter(approval, filter), matchesFilter(outside, filter)]).toEqual([first, second]);
  });

  test("the address is heard as far as it names what there is", () => {
    expect(filterOf({ dialog: dialogId, type: "text", tool: "x", severity: "error" })).toEqual({
      dialog: dialogId,
      types: ["text"],
      tool: "x",
      severity: "error",
    });
    expect(filterOf({ type: "toString", severity: "worst" })).toEqual({});
  });

  test("every kind of event can be chosen once", () => {
    expect(kindGroups.flatMap(({ types }) => types).toSorted()).toEqual(Object.keys(kinds).toSorted());
  });
});

describe("the engine is asked", () => {
  test("for what the filter says, in its words", () => {
    expect(logQuery({})).toBe("");
    expect(logQuery({ dialog: "a&b", types: ["text", "message"], tool: "t", severity: "info", by: "human" })).toBe(
      "?dialog=a%26b&type=text%2Cmessage&tool=t&severity=info&by=human",
    );
    expect(logQuery({ tool: "t" }, { before: "c 1", limit: 2 })).toBe("?tool=t&before=c+1&limit=2");
  });

  test("for a page, for a file, for what happens from now on", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (path: string) => {
      asked.push(path);
      return Response.json({ logId: "a", events: [], more: false });
    });
    expect(await readLog({ tool: "t" }, { limit: 5 })).toMatchObject({ ok: true, value: { events: [] } });
    const file = await fetchLog({ severity: "error" });
    expect(file.ok && (await file.value.text())).toBe('{"logId":"a","events":[],"more":false}');
    await openLog("c 7", new AbortController().signal);
    await openLog(null, new AbortController().signal);
    expect(asked).toEqual(["log?tool=t&limit=5", "log.json?severity=error", "events?since=c+7", "events?since="]);
    vi.unstubAllGlobals();
  });

  test("a refusal is told in the engine's words", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ error: "no such cursor" }, { status: 400 }));
    expect(await readLog({})).toEqual({ ok: false, kind: "refused", message: "no such cursor" });
    vi.unstubAllGlobals();
  });
});
