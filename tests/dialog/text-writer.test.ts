import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clean } from "../../src/dialog/clean.ts";
import { metaText, textText } from "../../src/dialog/serialise.ts";
import { createTextWriter } from "../../src/dialog/text-writer.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { hostileText, lawTimeout, runs } from "./hostile.ts";
import { openerLines } from "./notation.ts";

interface Written {
  readonly file: string;
  readonly text: string;
  readonly waiting: string | null;
}

function write(chunks: readonly string[], ended: "by-itself" | "cut" = "cut"): Written {
  const writer = createTextWriter();
  let [file, text, starts] = ["", "", 0];
  for (const piece of chunks.map((chunk) => writer.push(chunk))) {
    file += piece.file;
    text += piece.text;
    starts += piece.starts ? 1 : 0;
  }
  const last = writer.end(ended);
  starts += last.starts ? 1 : 0;
  text += last.text;
  expect(starts).toBe(text === "" ? 0 : 1);
  return { file: file + last.file, text, waiting: last.waiting };
}

describe("what goes out at once, and what is held back", () => {
  // Each chunk, and the text that it releases to the file.
  test.each<[string, [chunk: string, file: string][], end: string]>([
    [
      "plain text goes out as it comes",
      [
        ["he", "\nhe"],
        ["llo", "llo"],
      ],
      "\n",
    ],
    [
      "half an opener waits for the other half",
      [
        ["##", ""],
        [" Us", ""],
        ["er", "\n\\## User"],
        ["s", "s"],
      ],
      "\n",
    ],
    [
      "what turns out to be none goes out whole",
      [
        ["##", ""],
        [" Un", "\n## Un"],
        ["do", "do"],
      ],
      "\n",
    ],
    ["what never became one goes out at the end", [["## Us", ""]], "\n## Us\n"],
    [
      "a key waits for its colon",
      [
        ["> Auth", ""],
        ["orized", ""],
        [": x", "\n\\> Authorized: x"],
      ],
      "\n",
    ],
    [
      "a key in two words",
      [
        ["> Usage cumu", ""],
        ["lative", ""],
        [":", "\n\\> Usage cumulative:"],
      ],
      "\n",
    ],
    [
      "a key that grows too long is none",
      [
        [`> A${"b".repeat(31)}`, ""],
        ["b", `\n> A${"b".repeat(32)}`],
      ],
      "\n",
    ],
    [
      "backslashes go out at once; one is added behind them",
      [
        ["\\\\", "\n\\\\"],
        ["\\", "\\"],
        ["## User", "\\## User"],
      ],
      "\n",
    ],
    [
      "behind backslashes half an opener waits too",
      [
        ["\\#", "\n\\"],
        ["# User", "\\## User"],
      ],
      "\n",
    ],
    [
      "blank lines at the start never go out",
      [
        ["\n \n\n", ""],
        ["\t", ""],
        ["\na", "\na"],
      ],
      "\n",
    ],
    [
      "the first line keeps its indent",
      [
        ["\n\n  ", ""],
        ["a", "\n  a"],
      ],
      "\n",
    ],
    [
      "blank lines wait for more text",
      [
        ["a\n\n", "\na"],
        ["  \n", ""],
        ["b", "\n\n  \nb"],
      ],
      "\n",
    ],
    [
      "blank lines at the end never go out",
      [
        ["a\n\n", "\na"],
        ["  ", ""],
      ],
      "\n",
    ],
    ["spaces behind a word stay", [["a  ", "\na  "]], "\n"],
    [
      "a CR waits",
      [
        ["a\r", "\na"],
        ["\r", ""],
        ["\n", ""],
        ["b", "\nb"],
      ],
      "\n",
    ],
    [
      "a CR alone is an LF",
      [
        ["a\r", "\na"],
        ["b", "\nb"],
      ],
      "\n",
    ],
    [
      "a CR before an opener escapes it",
      [
        ["a\r", "\na"],
        ["Decision: approved", "\n\\Decision: approved"],
      ],
      "\n",
    ],
    [
      "a high surrogate waits",
      [
        ["a\ud83d", "\na"],
        ["\ude00", "\u{1f600}"],
      ],
      "\n",
    ],
    [
      "a high surrogate that stays alone is replaced",
      [
        ["a\ud83d", "\na"],
        ["b", "\ufffdb"],
      ],
      "\n",
    ],
    [
      "NUL is nothing",
      [
        ["#", ""],
        ["\0# U", ""],
        ["s\0er", "\n\\## User"],
      ],
      "\n",
    ],
    [
      "a Waiting line waits for more",
      [
        ["> Waiting: a", ""],
        ["?\n\n", ""],
        ["b", "\n\\> Waiting: a?\n\nb"],
      ],
      "\n",
    ],
    [
      "another Waiting line settles the first",
      [
        ["> Waiting: a\n", ""],
        ["> Waiting: b", "\n\\> Waiting: a"],
      ],
      "\n\\> Waiting: b\n",
    ],
    ["behind a backslash it is no sign", [["\\> Waiting: a", "\n\\\\> Waiting: a"]], "\n"],
    ["behind a backslash it is not even held back", [["\\> Waiting:", "\n\\\\> Waiting:"]], "\n"],
    [
      "without a space it is no sign",
      [
        ["> Waiting:", ""],
        ["a", "\n\\> Waiting:a"],
      ],
      "\n",
    ],
  ])("%s", (_name, chunks, end) => {
    const writer = createTextWriter();
    expect(chunks.map(([chunk]) => writer.push(chunk).file)).toEqual(chunks.map(([, file]) => file));
    expect(writer.end("cut").file).toBe(end);
  });
});

describe("the model's sign that it waits", () => {
  test.each<[string, "by-itself" | "cut", file: string, text: string, waiting: string | null]>([
    ["a\n> Waiting: which?", "by-itself", "\na\n\n> Waiting: which?\n", "a", "which?"],
    ["a\n\n> Waiting: which?\n\n", "by-itself", "\na\n\n> Waiting: which?\n", "a", "which?"],
    ["> Waiting: which?", "by-itself", "\n> Waiting: which?\n", "", "which?"],
    ["> Waiting:   which?  ", "by-itself", "\n> Waiting: which?\n", "", "which?"],
    ["> Waiting: ", "by-itself", "\n> Waiting: \n", "", ""],
    ["a\n> Waiting: which?", "cut", "\na\n\\> Waiting: which?\n", "a\n> Waiting: which?", null],
    ["> Waiting: which?\nb", "by-itself", "\n\\> Waiting: which?\nb\n", "> Waiting: which?\nb", null],
    [" > Waiting: which?", "by-itself", "\n > Waiting: which?\n", " > Waiting: which?", null],
    ["> Waiting: a\tb", "by-itself", "\n\\> Waiting: a\tb\n", "> Waiting: a\tb", "a\tb"],
    ["> Waiting: a\u2028b", "by-itself", "\n\\> Waiting: a\u2028b\n", "> Waiting: a\u2028b", "a\u2028b"],
    ["> Waiting: a\r\r\n", "by-itself", "\n> Waiting: a\n", "", "a"],
    [`> Waiting: ${"a".repeat(300)}`, "by-itself", `\n> Waiting: ${"a".repeat(300)}\n`, "", "a".repeat(300)],
    [`> Waiting: ${"a".repeat(301)}`, "by-itself", `\n\\> Waiting: ${"a".repeat(301)}\n`, `> Waiting: ${"a".repeat(301)}`, "a".repeat(301)],
  ])("%j, %s", (text, ended, file, shown, waiting) => {
    expect(write([text], ended)).toEqual({ file, text: shown, waiting });
  });
});

describe("laws", () => {
  test(
    "cut in two anywhere, or into single units, the file is what is written for the whole text",
    () => {
      fc.assert(
        fc.property(hostileText, (text) => {
          const whole = { file: textText(text), text: clean(text), waiting: null };
          expect(write([text])).toEqual(whole);
          expect(write(text.split(""))).toEqual(whole);
          const byItself = write([text], "by-itself");
          expect(write(text.split(""), "by-itself")).toEqual(byItself);
          for (let at = 1; at < text.length; at++) {
            const chunks = [text.slice(0, at), text.slice(at)];
            expect(write(chunks)).toEqual(whole);
            expect(write(chunks, "by-itself")).toEqual(byItself);
          }
        }),
        { numRuns: runs },
      );
    },
    lawTimeout,
  );

  test(
    "a response that ended by itself is the text without its sign, and the sign",
    () => {
      const signed = fc.tuple(hostileText, hostileText).map(([before, question]) => `${before}\n> Waiting: ${question}`);
      fc.assert(
        fc.property(fc.oneof(hostileText, signed), (text) => {
          const { file, text: shown, waiting } = write([text], "by-itself");
          const lines = clean(text).split("\n");
          const sign = lines.at(-1)?.startsWith("> Waiting: ") === true ? lines.at(-1) : undefined;
          const question = sign?.slice("> Waiting: ".length).replace(/^[ \t]+|[ \t]+$/g, "");
          expect(waiting).toBe(question ?? null);
          const structural = question !== undefined && question.length <= 300 && !/[\p{Cc}\u2028\u2029]/u.test(question);
          expect(shown).toBe(structural ? clean(lines.slice(0, -1).join("\n")) : clean(text));
          expect(file).toBe(textText(shown) + (structural ? metaText([{ key: "Waiting", value: question }]) : ""));
        }),
        { numRuns: runs },
      );
    },
    lawTimeout,
  );

  test(
    "at no moment does the file hold an opener, and what is out so far parses as text alone",
    () => {
      fc.assert(
        fc.property(hostileText, (text) => {
          const writer = createTextWriter();
          const before = "# Dialog\n> Format: 1\n\n## Assistant\n";
          let file = before;
          let shown = "";
          for (const unit of text.split("")) {
            const piece = writer.push(unit);
            file += piece.file;
            shown += piece.text;
            if (piece.file === "") continue;
            expect(openerLines(file)).toHaveLength(3);
            for (const end of ["", "\n"]) {
              expect(parseDialog(file + end).sections[0]?.parts).toEqual([{ kind: "text", text: shown }]);
            }
          }
        }),
        { numRuns: runs },
      );
    },
    lawTimeout,
  );
});
