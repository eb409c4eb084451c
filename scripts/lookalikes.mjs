// node scripts/lookalikes.mjs <confusables.txt>: writes src/app/calls/lookalike-table.ts from the Unicode security data named below.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

/** https://www.unicode.org/Public/17.0.0/security/confusables.txt */
const version = "17.0.0";
const sha256 = "ec88ecebcf89f63f813d460842b0cf8322744b40a0b2c06f88a2cea48c0351ea";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("expected the path of Unicode's confusables.txt");
const data = readFileSync(file);
const found = createHash("sha256").update(data).digest("hex");
if (found !== sha256) throw new Error(`expected confusables.txt of Unicode ${version} (SHA-256 ${sha256}), got ${found}`);

/** Scripts whose letters rarely appear next to Latin ones in ordinary text. The screen isolates right-to-left scripts instead. */
const scripts = [
  "Armenian",
  "Canadian_Aboriginal",
  "Carian",
  "Cherokee",
  "Coptic",
  "Cyrillic",
  "Deseret",
  "Elbasan",
  "Georgian",
  "Greek",
  "Lisu",
  "Lycian",
  "Old_Italic",
  "Osage",
  "Runic",
  "Tifinagh",
  "Warang_Citi",
];
const ofScripts = new RegExp(`^[${scripts.map((name) => `\\p{Script=${name}}`).join("")}]$`, "u");
const isLetter = /^[A-Za-z0-9]$/;
/** Characters with a meaning in a shell, an address or a path. */
const isOperator = /^[!"#$%&'()*+,./:;<=>?@[\\\]^`{|}~-]$/;

/** @type {Map<string, string>} */
const letters = new Map();
/** @type {Map<string, string>} */
const operators = new Map();
for (const line of data.toString("utf8").split("\n")) {
  const [, from, to] = /^([0-9A-F]+) ;\t([0-9A-F]+) ;/.exec(line) ?? [];
  if (from === undefined || to === undefined) continue;
  const [twin, plain] = [from, to].map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
  // Skip ASCII: it looks like itself. Skip compatibility forms, such as full-width ones: NFKC finds them without a table.
  if (twin === undefined || plain === undefined || /^[ -~]$/.test(twin) || /^[ -~]$/.test(twin.normalize("NFKC"))) continue;
  if (isLetter.test(plain) && ofScripts.test(twin)) letters.set(plain, (letters.get(plain) ?? "") + twin);
  if (isOperator.test(plain) && /^[\p{P}\p{S}]$/u.test(twin) && /^\p{Script=Common}$/u.test(twin))
    operators.set(plain, (operators.get(plain) ?? "") + twin);
}
// confusables.txt has these only indirectly, through quotation marks of two strokes and bars that look like the letter l.
operators.set('"', `${operators.get('"') ?? ""}“”„‟`);
operators.set("|", `${operators.get("|") ?? ""}∣⏽￨│❘`);

/** @param {Map<string, string>} map */
const written = (map) =>
  [...map]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([plain, twins]) => `  [${JSON.stringify(plain)}, ${JSON.stringify(twins)}],\n`)
    .join("");
writeFileSync(
  "src/app/calls/lookalike-table.ts",
  `/** Written by scripts/lookalikes.mjs from confusables.txt of Unicode ${version}: an ASCII character, and those that look like it. */
export const letterTwins: readonly (readonly [plain: string, twins: string])[] = [
${written(letters)}];

export const operatorTwins: readonly (readonly [plain: string, twins: string])[] = [
${written(operators)}];
`,
);
