/** Goal 1: reading a dialog, compared with the least that reading a text can cost, and with JSON of the same size. */
import { parseDialog } from "../src/dialog/parse.ts";
import { serialiseDialog } from "../src/dialog/serialise.ts";
import { claudeMessages } from "../src/engine/prompt/claude.ts";
import { corpus } from "./corpus.ts";
import { ratio } from "./ratio.ts";
import { goal, note } from "./report.ts";

function scan(file: string): number {
  let lines = 0;
  for (let at = file.indexOf("\n"); at >= 0; at = file.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

for (const wide of [false, true]) {
  const name = wide ? "two-byte text" : "one-byte text";
  const dialog = corpus(10_000_000, { wide });
  // Decoding flattens the text, as in a text from the store. A concatenated string is a rope until it is first read.
  const file = new TextDecoder().decode(new TextEncoder().encode(serialiseDialog(dialog)));
  const json = new TextDecoder().decode(new TextEncoder().encode(JSON.stringify(claudeMessages(dialog))));
  note(`${name}: a file of ${(file.length / 1e6).toFixed(1)} M characters, ${dialog.sections.length} messages`);
  const toScan = await ratio(
    () => parseDialog(file),
    () => scan(file),
  );
  goal(`${name}: speed of the newline scan, of it reached by the parser`, 1 / toScan, { atLeast: 0.6 });
  // Sections are parsed lazily; this measures all of them together.
  const allToScan = await ratio(
    () => parseDialog(file).sections.length,
    () => scan(file),
  );
  const allToJson = await ratio(
    () => JSON.parse(json) as unknown,
    () => parseDialog(file).sections.length,
  );
  note(`${name}: with every section read ${(1 / allToScan).toFixed(2)} of the scan, ${allToJson.toFixed(1)} times as fast as JSON.parse`);
  const toJson = await ratio(
    () => JSON.parse(json) as unknown,
    () => parseDialog(file),
  );
  goal(`${name}: times as fast as JSON.parse of the same messages`, toJson, { atLeast: 2 });
}
