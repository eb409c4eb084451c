import { failed, type Run, stdinBytes } from "./answer.ts";
import { readInput } from "./files.ts";
import { parseOptions } from "./options.ts";

interface Counts {
  readonly lines: number;
  readonly words: number;
  readonly characters: number;
  readonly bytes: number;
  readonly longest: number;
}

/** GNU wc, with its column widths. */
export const wc: Run = async (args, context) => {
  const options = parseOptions(
    args,
    "lwcmL",
    { lines: "l", words: "w", bytes: "c", chars: "m", "max-line-length": "L", "files0-from": "f", total: "t" },
    ["f", "t"],
  );
  if (typeof options === "string") return failed("wc", options);
  if (options.has("f")) return failed("wc", "--files0-from is not here; use xargs -0 wc");
  const asked = (["l", "w", "m", "c", "L"] as const).filter((letter) => options.has(letter));
  const shown = asked.length === 0 ? (["l", "w", "c"] as const) : asked;
  const rows: { readonly name: string | null; readonly counts: Counts }[] = [];
  let stderr = "";
  let isRegular = true;
  for (const name of options.operands.length === 0 ? [null] : options.operands) {
    if (name === null || name === "-") isRegular = false;
    const read = name === null ? ({ ok: true, bytes: stdinBytes(context) } as const) : await readInput(context, name);
    if (read.ok) {
      rows.push({ name, counts: count(read.bytes) });
      continue;
    }
    stderr += `wc: ${name ?? "-"}: ${read.why}\n`;
    if (read.why === "Is a directory") {
      rows.push({ name, counts: count(new Uint8Array()) });
      isRegular = false;
    }
  }
  const total = rows.reduce((sum, { counts }) => add(sum, counts), count(new Uint8Array()));
  const totals = options.value("t") ?? "auto";
  const withTotal = totals === "always" || totals === "only" || (totals === "auto" && options.operands.length > 1);
  const single = shown.length === 1 && options.operands.length <= 1;
  const width = totals === "only" || single ? 1 : isRegular ? Math.max(1, String(total.bytes).length) : 7;
  const line = (counts: Counts, name: string | null): string => {
    const numbers = shown.map((letter) =>
      String({ l: counts.lines, w: counts.words, m: counts.characters, c: counts.bytes, L: counts.longest }[letter]).padStart(width),
    );
    return `${numbers.join(" ")}${name === null ? "" : ` ${name}`}\n`;
  };
  const stdout =
    (totals === "only" ? [] : rows).map(({ name, counts }) => line(counts, name)).join("") +
    (withTotal ? line(total, totals === "only" ? null : "total") : "");
  return { stdout, stderr, exitCode: stderr === "" ? 0 : 1 };
};

const add = (a: Counts, b: Counts): Counts => ({
  lines: a.lines + b.lines,
  words: a.words + b.words,
  characters: a.characters + b.characters,
  bytes: a.bytes + b.bytes,
  longest: Math.max(a.longest, b.longest),
});

function count(bytes: Uint8Array): Counts {
  let [lines, words, characters, longest, column] = [0, 0, 0, 0, 0];
  let inWord = false;
  for (const byte of bytes) {
    // A continuation byte does not count as a character.
    const begins = (byte & 0xc0) !== 0x80;
    if (begins) characters++;
    if (byte === 0x0a) {
      lines++;
      longest = Math.max(longest, column);
      column = 0;
    } else if (byte === 0x09) column = Math.floor(column / 8) * 8 + 8;
    else if (begins && byte >= 0x20) column++;
    const isSpace = byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
    if (!isSpace && !inWord) words++;
    inWord = !isSpace;
  }
  return { lines, words, characters, bytes: bytes.length, longest: Math.max(longest, column) };
}
