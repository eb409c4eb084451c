let missed = 0;

/** Prints one figure with its goal. A missed goal makes the whole run fail. */
export function goal(name: string, figure: number, wanted: { readonly atMost: number } | { readonly atLeast: number }): void {
  const met = "atMost" in wanted ? figure <= wanted.atMost : figure >= wanted.atLeast;
  if (!met) missed += 1;
  const word = "atMost" in wanted ? `≤ ${wanted.atMost}` : `≥ ${wanted.atLeast}`;
  console.log(`${met ? "  met   " : "  MISSED"}  ${name}: ${figure.toFixed(figure < 10 ? 2 : 0)} (goal ${word})`);
  process.exitCode = missed === 0 ? 0 : 1;
}

/** Prints a figure without a goal. */
export function note(text: string): void {
  console.log(`            ${text}`);
}
