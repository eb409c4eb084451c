import { InMemoryFs } from "just-bash/browser";
import { expect, test } from "vitest";
import { createFileSink } from "../../src/shell/embedded/file-sink.ts";

interface Row {
  readonly before?: string;
  /** `o` and `e` print text to stdout and stderr, `!` ends the job, `+x` is written by another program, `-` removes the file, `0` empties it. */
  readonly steps: readonly string[];
  readonly stdout?: string | readonly number[];
  readonly stderr?: string;
  /** Null if there is none. */
  readonly file: string | readonly number[] | null;
}

const rows: Readonly<Record<string, Row>> = {
  "what was printed is not written again": { steps: ["oa", "ob"], stdout: "ab", file: "ab" },
  "the rest comes at the end": { steps: ["oa"], stdout: "abc", stderr: "e", file: "abce" },
  "streams keep their order": { steps: ["oa", "ex", "ob"], stdout: "ab", stderr: "x", file: "axb" },
  "after what was there": { before: "old\n", steps: ["oa"], stdout: "ab", file: "old\nab" },
  "an ended job writes no more": { steps: ["oa", "!", "ob"], stdout: "abc", file: "a" },
  "a result that was cut off takes nothing back": { steps: ["oa", "ob"], stdout: "a", file: "ab" },
  "no result": { steps: ["oa", "eb"], file: "ab" },
  "a part that was not printed is put in its place": { before: "old\n", steps: ["oa", "oc"], stdout: "abc", file: "old\nabc" },
  "and beside what others wrote, nothing is lost": { steps: ["oa", "+x", "oc"], stdout: "abc", file: "axcbc" },
  "a file that is emptied": { before: "", steps: ["oa", "0", "ob"], stdout: "abc", file: "bc" },
  "a file that is removed": { steps: ["oa", "-", "ob"], stdout: "abc", file: null },
  "letters of more bytes": { steps: ["oé", "o😀"], stdout: "é😀!", file: "é😀!" },
  "what is no text": { steps: ["oa", "o\u{fffd}", "ob"], stdout: [97, 255, 98], file: [97, 255, 98] },
};

test.each(Object.entries(rows))("%s", async (_, { before = "", steps, stdout = "", stderr = "", file }) => {
  const files = new InMemoryFs({ "/log": before });
  const ended = new AbortController();
  const sink = createFileSink(files, "/log", before.length, ended.signal);
  for (const step of steps) {
    const text = step.slice(1);
    if (step === "!") ended.abort();
    else if (step === "-") await files.rm("/log");
    else if (step === "0") await files.writeFile("/log", "");
    else if (step.startsWith("+")) await files.appendFile("/log", text);
    else sink.print(step.startsWith("o") ? "stdout" : "stderr", text);
    // Waits until the output is in the file.
    for (let i = 0; i < 20; i++) await Promise.resolve();
  }
  await sink.finish([
    ["stdout", bytesOf(stdout)],
    ["stderr", bytesOf(stderr)],
  ]);
  expect((await files.exists("/log")) ? [...(await files.readFileBuffer("/log"))] : null).toEqual(
    file === null ? null : [...bytesOf(file)],
  );
});

test("a file that can't be written fails the command", async () => {
  const files = new InMemoryFs({ "/log": "" });
  const full = Object.assign(Object.create(files), { appendFile: () => Promise.reject(new Error("no space left")) });
  const sink = createFileSink(full, "/log", 0, new AbortController().signal);
  sink.print("stdout", "a");
  sink.print("stdout", "b");
  await expect(sink.finish([["stdout", bytesOf("ab")]])).rejects.toThrow("no space left");
});

const bytesOf = (content: string | readonly number[]): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
