import { allShowings, runFloods } from "./floods/floods.ts";
import { asked, report } from "./report.ts";

/** Only texts and places with these words in their names, each separated by a comma; all of them when not set. */
const words = (name: string): string[] => (process.env[name] ?? "").split(",").filter(Boolean);
const has = (value: string, wanted: readonly string[]): boolean => wanted.length === 0 || wanted.some((word) => value.includes(word));
const [texts, places] = [words("VIBEY_FLOODS_TEXTS"), words("VIBEY_FLOODS_PLACES")];

report(
  "floods",
  null,
  await runFloods({
    length: asked().times,
    longest: 50,
    // What is read in the background takes longer.
    watched: Number(process.env["VIBEY_FLOODS_WATCHED"] ?? 1_500),
    showings: allShowings().filter(({ place, text }) => has(text, texts) && has(place, places)),
    each: ({ place, text }, ms) => ms > 25 && console.log(`          ${ms.toFixed(0).padStart(6)} ms  ${text} as ${place}`),
  }),
);
