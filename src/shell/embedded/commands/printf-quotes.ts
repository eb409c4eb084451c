/** Conversions. A `*` takes a width or precision from the arguments. */
const conversion = /%(?:%|([-+ #0'\d.*]*)([A-Za-z]))/g;
const controls: ReadonlyMap<string, string> = new Map([
  ["\u0007", "a"],
  ["\b", "b"],
  ["\t", "t"],
  ["\n", "n"],
  ["\v", "v"],
  ["\f", "f"],
  ["\r", "r"],
  ["\u001b", "E"],
  ["'", "'"],
  ["\\", "\\"],
]);

/** Replaces each `%q` by a `%s` of the quoted argument: just-bash's `%q` turns letters such as ü into bytes that are no UTF-8. */
export function withQuotes(args: readonly string[], formatAt: number): readonly string[] {
  const format = args[formatAt] ?? "";
  if (!format.includes("q")) return args;
  /** Whether each argument is quoted. */
  const uses: boolean[] = [];
  const plain = format.replaceAll(conversion, (whole, flags?: string, kind?: string) => {
    if (flags === undefined) return whole;
    uses.push(...Array.from(flags.matchAll(/\*/g), () => false), kind === "q");
    return kind === "q" ? `%${flags}s` : whole;
  });
  if (!uses.includes(true)) return args;
  const values = args.slice(formatAt + 1);
  const rounds = Math.max(1, Math.ceil(values.length / uses.length));
  // The last round quotes missing arguments, too.
  for (let at = values.length; at <= (rounds - 1) * uses.length + uses.lastIndexOf(true); at++) values.push("");
  const shown = values.map((value, i) => (uses[i % uses.length] === true ? quoted(value) : value));
  return [...args.slice(0, formatAt), plain, ...shown];
}

function quoted(text: string): string {
  if (text === "") return "''";
  // oxlint-disable-next-line no-control-regex -- these are what `$'…'` is for.
  if (!/[\u0000-\u001f\u007f]/.test(text)) return text.replaceAll(/[ !"$&'()*,;<>?[\\\]^`{|}]|^#|(?<=^|[:=])~/g, "\\$&");
  // oxlint-disable-next-line no-control-regex -- as above.
  const escaped = text.replaceAll(/[\u0000-\u001f\u007f'\\]/g, (each) => {
    return `\\${controls.get(each) ?? each.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `$'${escaped}'`;
}
