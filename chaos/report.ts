/** The result of a campaign: its figures, and each broken promise, described so that it can be found. */
export interface Found {
  /** The number of cases tried. A campaign that tried nothing fails. */
  readonly cases: number;
  readonly figures: string;
  readonly broken: readonly string[];
}

/** Prints a campaign's line and the broken promises under it. Sets the exit code. */
export function report(name: string, seed: number | null, found: Found): void {
  const { figures, cases } = found;
  const broken = cases > 0 ? found.broken : [...found.broken, "nothing was tried"];
  const word = broken.length === 0 ? "held  " : "BROKEN";
  console.log(`  ${word}  ${name}: ${figures}${seed === null ? "" : ` (seed ${seed})`}`);
  for (const each of broken.slice(0, 20)) console.log(`          ${each}`);
  if (broken.length > 20) console.log(`          and ${broken.length - 20} more`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}

/** The options that `chaos/run.mjs` passes to a campaign. */
export function asked(): { readonly times: number; readonly seed: number; readonly only: string } {
  const whole = (name: string): number => {
    const value = Number(process.env[name]);
    if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name}: expected a whole number from 1 on, got ${process.env[name]}`);
    return value;
  };
  return { times: whole("VIBEY_CHAOS_TIMES"), seed: whole("VIBEY_CHAOS_SEED"), only: process.env["VIBEY_CHAOS_ONLY"] ?? "" };
}
