import { expect, test } from "vitest";
import type { DialogAnswer } from "../../../src/protocol/index.ts";
import { bench, call, ended } from "../harness.ts";

test("a pending edit tells the line of the file that it would change", async () => {
  const edit = call("t1", "edit_file", { path: "src/poem.txt", old_string: "b_b\nc", new_string: "x" });
  const gone = call("t2", "edit_file", { path: "src/poem.txt", old_string: "z", new_string: "x" });
  const b = await bench([[edit, gone, ended]]);
  await b.ask("PUT", "/deed/src/poem.txt", "a\nb_b\nc\n");
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go." }));
  const { id } = await b.dialog();
  const read = async (from: typeof b) => {
    const { messages }: DialogAnswer = await (await from.ask("GET", `/dialog/${id}`)).json();
    return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call.line] : [])));
  };
  expect(await read(b)).toEqual([2, undefined]);
  expect(await read(await b.reload())).toEqual([2, undefined]);
});
