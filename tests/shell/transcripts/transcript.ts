/** One command of an agent and the real tools' answer. */
export interface Step {
  readonly command: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * Reads a transcript. `$ ` begins a command and `> ` continues it on the next line. Lines of stdout begin with two spaces, lines of stderr with `! `.
 * `[1]` is an exit code other than 0. `\` alone on a line says that the stream before it had no final line end. `# ` begins a remark.
 */
export function readTranscript(text: string): Step[] {
  const steps: { command: string; stdout: string; stderr: string; exitCode: number }[] = [];
  let stream: "stdout" | "stderr" = "stdout";
  for (const line of text.split("\n")) {
    const step = steps.at(-1);
    if (line.startsWith("$ ")) steps.push({ command: line.slice(2), stdout: "", stderr: "", exitCode: 0 });
    else if (line === "" || line.startsWith("# ")) continue;
    else if (step === undefined) throw new Error(`a transcript begins with a command, not with ${line}`);
    else if (line === ">" || line.startsWith("> ")) step.command += `\n${line.slice(2)}`;
    else if (line.startsWith("  ")) step[(stream = "stdout")] += `${line.slice(2)}\n`;
    else if (line.startsWith("! ")) step[(stream = "stderr")] += `${line.slice(2)}\n`;
    else if (line === "\\") step[stream] = step[stream].slice(0, -1);
    else if (/^\[\d+\]$/.test(line)) step.exitCode = Number(line.slice(1, -1));
    else throw new Error(`no line of a transcript: ${line}`);
  }
  return steps;
}

export function writeTranscript(remark: string, steps: readonly Step[]): string {
  const lines = (prefix: string, text: string): string =>
    text === "" ? "" : `${prefix}${text.replace(/\n$/, "").replaceAll("\n", `\n${prefix}`)}\n${text.endsWith("\n") ? "" : "\\\n"}`;
  const one = ({ command, stdout, stderr, exitCode }: Step): string =>
    `$ ${command.replaceAll("\n", "\n> ")}\n${lines("  ", stdout)}${lines("! ", stderr)}${exitCode === 0 ? "" : `[${exitCode}]\n`}`;
  return `${remark}\n${steps.map((step) => `\n${one(step)}`).join("")}`;
}

/** Replaces the times that `time` and test runners print, which differ in every run. */
export const anyTime = (text: string): string =>
  text
    .replaceAll(/^(! (?:real|user|sys)\t)\d+m\d+\.\d{3}s$/gm, (_, label: string) => `${label}0m0.000s`)
    .replaceAll(/^(! (?:real|user|sys) )\d+\.\d\d$/gm, (_, label: string) => `${label}0.00`)
    .replaceAll(/ in \d+\.\d+s\b/g, " in 0.00s")
    // jest and vitest leave out times close to zero.
    .replaceAll(/^([! ] *Time: +)\d.*$/gm, (_, label: string) => `${label}0 s`)
    .replaceAll(/ (?:\(\d+(?:\.\d+)? m?s\)|\d+(?:\.\d+)?m?s)$/gm, "");
