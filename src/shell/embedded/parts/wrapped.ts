// Which words of a program are another program that it runs, or text for a shell.

/** Programs that run another program, and their options that take a value. */
export const wrappers: ReadonlyMap<string, RegExp> = new Map([
  ["xargs", /^(?:-[aEILnPsd]|--(?:arg-file|delimiter|max-args|max-lines|max-procs|max-chars|process-slot-var))$/],
  ["timeout", /^(?:-[ks]|--signal|--kill-after)$/],
  ["env", /^(?:-[uC]|--unset|--chdir)$/],
  ["nice", /^(?:-n|--adjustment)$/],
  ["sudo", /^-[ugCDhp]$/],
  ["time", /^-[fo]$/],
  ["nohup", /^$/],
  ["setsid", /^$/],
  ["ionice", /^(?:-[cn]|--class(?:data)?)$/],
  ["stdbuf", /^(?:-[ioe]|--(?:input|output|error))$/],
  ["unbuffer", /^$/],
  ["flock", /^(?:-[wE]|--wait|--timeout|--conflict-exit-code)$/],
  ["command", /^$/],
  ["builtin", /^$/],
  ["exec", /^-a$/],
  ["background", /^$/],
  ["busybox", /^$/],
]);

/** The index of the program that a wrapper runs. */
export function firstRun(program: string, texts: readonly string[]): number | null {
  const takesValue = wrappers.get(program);
  if (takesValue === undefined) return null;
  let at = 0;
  while (at < texts.length) {
    const text = texts[at] ?? "";
    if (takesValue.test(text)) at += 2;
    else if (text.startsWith("-") || (program === "env" && text.includes("="))) at += 1;
    else break;
  }
  // Skips the duration or the file.
  if (program === "timeout" || program === "flock") at += 1;
  if (program === "command" && texts.some((text) => /^-[vV]$/.test(text))) return null;
  return at < texts.length ? at : null;
}

/** The index of the text that `npx -c` runs. -1: there is none. */
export function npxText(texts: readonly string[]): number {
  for (const [index, text] of texts.entries()) {
    if (text === "-c" || text === "--call") return index + 1;
    if (!text.startsWith("-") && (index > 0 || !/^(?:exec|x)$/.test(text))) return -1;
  }
  return -1;
}

export const shellName = /^(?:ba|da|z|k|a)?sh$/;

/** The index of the text for a shell's `-c`: the first word after it that is neither an option nor an option's value. -1: there is none. */
export function shellText(texts: readonly string[]): number {
  const option = texts.findIndex((text) => /^-[a-z]*c[a-z]*$/.test(text));
  if (option < 0) return -1;
  let at = option + 1;
  while (/^[-+]./.test(texts[at] ?? "") && texts[at] !== "--") at += /^[-+][a-zA-Z]*[oO]$/.test(texts[at] ?? "") ? 2 : 1;
  return texts[at] === "--" ? at + 1 : at;
}
