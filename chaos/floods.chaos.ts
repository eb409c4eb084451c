import { allShowings, runFloods } from "./floods/floods.ts";
import { asked, report } from "./report.ts";

/** Restricts the campaign to texts and places whose names contain one of these words, separated by commas; all if not set. */
const words = (name: string): string[] => (process.env[name] ?? "").split(",").filter(Boolean);
const has = (value: string, wanted: readonly string[]): boolean => wanted.length === 0 || wanted.some((word) => value.includes(word));
const [texts, places] = [words("VIBEY_FLOODS_TEXTS"), words("VIBEY_FLOODS_PLACES")];

report(
  "floods",
  null,
  await runFloods({
    length: asked().times,
    longest: 50,
    // Set a longer time for work that the page does in the background.
    watched: Number(process.env["VIBEY_FLOODS_WATCHED"] ?? 1_500),
    showings: allShowings().filter(({ place, text }) => has(text, texts) && has(place, places)),
    each: ({ place, text }, ms) => ms > 25 && console.log(`          ${ms.toFixed(0).padStart(6)} ms  ${text} as ${place}`),
  }),
);
