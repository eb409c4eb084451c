import { afterEach, expect, test, vi } from "vitest";
import { attach, quoted } from "../../../src/app/dialogs/attach.ts";
import { mentionedAgents } from "../../../src/dialog/mentions/mentioned.ts";

afterEach(() => vi.unstubAllGlobals());

test("files of one name that are dropped at once are two files of the project", async () => {
  const stored = new Map<string, number[]>();
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    // Each answer takes a while, in which the other file may arrive.
    await new Promise((resolve) => setTimeout(resolve));
    const name = decodeURIComponent(path.replace("deed/", ""));
    if (init?.method !== "PUT") return Response.json([...stored.keys()].map((one) => ({ path: one })));
    stored.set(name, Array.from(new Uint8Array(await new Response(init.body).arrayBuffer())));
    return Response.json({ ok: true });
  });
  const taken = await Promise.all([1, 2, 3].map((byte) => attach(new File([Uint8Array.of(0, byte)], "data.bin"))));
  expect(taken.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect([...stored]).toEqual([
    ["data.bin", [0, 1]],
    ["data-2.bin", [0, 2]],
    ["data-3.bin", [0, 3]],
  ]);
});

test.each(["@vibe.txt", "`@vibe`.txt", "``@vibe``.txt", "a ``` @vibe", "``\n@vibe\n``"])(
  "neither the name %j nor what is in the file mentions an agent",
  (name) => {
    const words = quoted(name, "@vibe go\n```\n@vibe\n````\n@vibe");
    expect(mentionedAgents(words, new Set(["vibe"]))).toEqual([]);
    expect(mentionedAgents(`${words}\n\n@vibe`, new Set(["vibe"]))).toEqual(["vibe"]);
  },
);
