import { expect, test } from "vitest";
import { followFiles } from "../../../src/shell/embedded/node/frame/follower.ts";
import type { FromProcess } from "../../../src/shell/embedded/node/frame/messages.ts";
import { processFiles } from "../../../src/shell/embedded/node/frame/process/files.ts";
import { fileOperations } from "../../../src/shell/embedded/node/operations/files.ts";
import { createShellFiles } from "../../../src/shell/embedded/shell-files.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The shell's files, and a process's copy, which is told about changes. `look` tells it what others changed. */
function shellAndProcess() {
  const shell = createShellFiles({
    refusal: () => null,
    record: () => undefined,
    fetch: async () => null,
    now: () => 0,
    failure: (message) => new Error(message),
  }).now;
  const follower = followFiles(shell);
  let upTo = 0;
  function say(message: FromProcess): void {
    if (message.type !== "change") return;
    upTo++;
    Reflect.apply(shell[message.call], shell, [...message.args]);
    follower.did(message);
  }
  const { files, update, watch } = processFiles([...shell.all()], say);
  const heard: string[] = [];
  watch((changes) => heard.push(...changes.map(([kind, path]) => `${kind} ${path}`)));
  return {
    shell,
    files,
    look: (): void => {
      const fresh = follower.changes();
      if (fresh !== null) update({ type: "files", ...fresh, upTo });
    },
    heard: () => heard.splice(0),
  };
}

test("a process hears of its own changes once, and the next look tells it nothing", () => {
  const { files, look, heard } = shellAndProcess();
  files.makeFolder("/project/a/b", true);
  files.write("/project/a/b/x", bytes("1"));
  files.write("/project/a/b/x", bytes("2"));
  files.rename("/project/a/b/x", "/project/a/y");
  files.setTime("/project/a/y", 5_000);
  files.setMode("/project/a/y", 0o755);
  files.rename("/project/a", "/project/c");
  const own = [
    "made /project/a",
    "made /project/a/b",
    "made /project/a/b/x",
    "changed /project/a/b/x",
    "gone /project/a/b/x",
    "made /project/a/y",
    "changed /project/a/y",
    "changed /project/a/y",
    "gone /project/a",
    "made /project/c",
  ];
  expect(heard()).toEqual(own);
  look();
  expect(heard()).toEqual([]);
  files.removeFolder("/project/c", true);
  expect(heard()).toEqual(["gone /project/c"]);
  look();
  expect(heard()).toEqual([]);
});

test("a folder whose files others remove or replace stays, and nothing is told of it", () => {
  const { shell, files, look, heard } = shellAndProcess();
  files.makeFolder("/project/d", false);
  files.write("/project/d/a", bytes("1"));
  heard();
  shell.write("/project/d/b", bytes("x"));
  shell.unlink("/project/d/a");
  look();
  expect(heard()).toEqual(["gone /project/d/a", "made /project/d/b"]);
  shell.unlink("/project/d/b");
  look();
  expect([heard(), files.list("/project/d")]).toEqual([["gone /project/d/b"], []]);
});

test("of a folder that others remove, what was in it is told first", () => {
  const { shell, files, look, heard } = shellAndProcess();
  files.makeFolder("/project/d", false);
  files.write("/project/d/a", bytes("1"));
  heard();
  shell.removeFolder("/project/d", true);
  look();
  expect([heard(), files.stat("/project/d")]).toEqual([["gone /project/d/a", "gone /project/d"], null]);
});

test("what others changed in a file before the process moved it is told", () => {
  const { shell, files, look, heard } = shellAndProcess();
  files.write("/project/a", bytes("1"));
  shell.write("/project/a", bytes("2"));
  files.rename("/project/a", "/project/b");
  heard();
  look();
  expect([heard(), new TextDecoder().decode(files.read("/project/b"))]).toEqual([["changed /project/b"], "2"]);
});

test("a read of a part of a file copies that part, and no more", () => {
  const { files } = shellAndProcess();
  const all = new Uint8Array(1_000).fill(7);
  files.write("/tmp/large", all);
  const read = fileOperations(files)["fs.readPart"];
  const part = read?.("/tmp/large", 100, 64);
  expect(part).toEqual(new Uint8Array(64).fill(7));
  expect(part instanceof Uint8Array && part.buffer.byteLength).toBe(64);
  expect(read?.("/tmp/large", 990, 64)).toHaveLength(10);
  expect(read?.("/tmp/large", 2_000, 64)).toHaveLength(0);
});
