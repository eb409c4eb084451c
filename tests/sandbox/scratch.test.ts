import { test } from "vitest";
import { memoryFiles } from "../../src/fs/memory.ts";
import { parsePath } from "../../src/fs/path.ts";
import { embeddedSandbox } from "../../src/engine/sandbox/embedded/embedded.ts";
import { loopbackWorker } from "./loopback.ts";
import { readFileSync } from "node:fs";
test("x", async () => {
  const files = memoryFiles({ now: () => 1e12 });
  const w = async (p: string, data: string) => {
    const r = parsePath(p);
    if (!r.ok) throw 1;
    await files.commit([{ op: "write", path: r.path, data }], { durability: "relaxed" });
  };
  await w("vibey/doc-main.md", "# Main\n");
  await w("vibey/dialog-20260101-000000-x-done.md", "# Dialog\n");
  await w("src/a.ts", "let a = 1;\n");
  await w("README.md", "hello\n");
  const sb = embeddedSandbox({
    files,
    createWorker: loopbackWorker,
    timers: {
      now: () => performance.now(),
      after: (ms, f) => {
        const t = setTimeout(f, ms);
        return () => clearTimeout(t);
      },
    },
  });
  for (const c of readFileSync("/tmp/cmds.txt", "utf8").split("\n===\n")) {
    const o = await sb.run(c, { session: "s", timeoutMs: 1000, maxBytes: 2000, signal: new AbortController().signal });
    console.log(
      "$ " +
        c.slice(0, 200) +
        "\n" +
        o.stdout.slice(0, 2500) +
        (o.stderr ? "!! " + o.stderr : "") +
        `[${o.exitCode} ${o.limit} ${o.aborted} ${o.ms}ms] ` +
        o.changes.map((x) => `${x.path}:${x.base}:${x.bytes && new TextDecoder().decode(x.bytes).slice(0, 40)}`).join(" | "),
    );
  }
}, 60000);
