import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * `<Show when={a()}>{(now) => words(now())}</Show>` runs its function once, so its text never changes, while `<>{words(now())}</>` updates.
 * No other check finds this.
 */
const frozen = /\{\((\w+)\) => (?![<({])[^{}]*\b\1\(\)[^{}]*\}\s*<\/(?:Show|Match)>/g;

const frozenIn = (source: string) => Array.from(source.matchAll(frozen), ([found]) => found);

test.each([
  ["<Show when={a()}>{(now) => t.words(now().b)}</Show>", 1],
  ["<Match when={a()}>\n  {(now) => now()}\n</Match>", 1],
  ["<Show when={a()}>{(now) => <>{t.words(now().b)}</>}</Show>", 0],
  ["<Show when={a()}>{(now) => <B now={now()} />}</Show>", 0],
  ["<Show when={a()} keyed>{(now) => words(now)}</Show>", 0],
])("what is said once for all is found: %s", (source, count) => {
  expect(frozenIn(source)).toHaveLength(count);
});

test("nothing on the screen is said once for all", () => {
  const app = join(import.meta.dirname, "../../src/app");
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
  expect(files.length).toBeGreaterThan(80);
  expect(files.flatMap((file) => frozenIn(readFileSync(join(app, file), "utf8")).map((found) => `${file}: ${found}`))).toEqual([]);
});
