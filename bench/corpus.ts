import type { Dialog, Part, Section } from "../src/dialog/model.ts";

/** Numbers from 0 up to, but not including, 1. The same seed gives the same numbers. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const latin = "abcdefghijklmnopqrstuvwxyz0123456789";
/** Characters that make a string two bytes wide in memory. */
export const wide = "жщъыьэюя中文字符漢語";

/** Text of about `length` characters: lines of words without a pattern. */
export function text(length: number, next: () => number, alphabet: string): string {
  const out: string[] = [];
  let size = 0;
  let line = 0;
  while (size < length) {
    const word = Array.from({ length: 2 + Math.floor(next() * 8) }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
    out.push(word);
    size += word.length + 1;
    line += word.length + 1;
    out.push(line > 70 ? "\n" : " ");
    if (line > 70) line = 0;
  }
  return out.join("").trim();
}

/** About 2 KB of Markdown with everything that appears in answers. Each call gives a different text. */
export function markdown(next: () => number): string {
  const words = (length: number) => text(length, next, latin + wide).replaceAll("\n", " ");
  return [
    `## ${words(30)}`,
    `${words(400)} **${words(20)}** and *${words(15)}*, with \`${words(12)}\` and a [${words(10)}](https://example.com/${Math.floor(next() * 1e6)}).`,
    Array.from({ length: 4 }, () => `- ${words(60)}`).join("\n"),
    `\`\`\`js\n${Array.from({ length: 8 }, (_, nth) => `const a${nth} = "${words(30)}";`).join("\n")}\n\`\`\``,
    `| ${words(8)} | ${words(8)} |\n|---|---|\n| ${words(20)} | ${words(20)} |`,
    words(600),
  ].join("\n\n");
}

/** A dialog whose file has about `length` characters: questions and answers, with a call and its result in every second answer. */
export function corpus(length: number, options: { readonly wide?: boolean; readonly seed?: number } = {}): Dialog {
  const next = random(options.seed ?? 1);
  const alphabet = options.wide ? latin + wide : latin;
  const sections: Section[] = [];
  let size = 0;
  for (let number = 0; size < length; number += 1) {
    const asked = text(200 + next() * 400, next, alphabet);
    const said = text(600 + next() * 3_000, next, alphabet);
    const printed = text(500 + next() * 4_000, next, alphabet);
    const time = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
    const call: Part = {
      kind: "call",
      call: {
        id: `call_${number}`,
        name: "run_command",
        input: { command: `grep -rn ${number} src` },
        decision: "approved",
        started: time,
        result: { success: true, stdout: printed, stderr: "", ms: 12 },
      },
    };
    sections.push({ role: "user", head: [{ key: "Time", value: time }], parts: [{ kind: "text", text: asked }] });
    sections.push({
      role: "assistant",
      head: [{ key: "Time", value: `${time} - ${time}` }],
      parts: number % 2 === 0 ? [{ kind: "text", text: said }, call] : [{ kind: "text", text: said }],
    });
    size += asked.length + said.length + (number % 2 === 0 ? printed.length : 0) + 300;
  }
  return {
    format: 1,
    head: [
      { key: "Provider", value: "claude" },
      { key: "Model", value: "claude-sonnet-5-5" },
      { key: "Started", value: "2026-01-01T00:00:00.000Z" },
    ],
    parts: [],
    sections,
  };
}
