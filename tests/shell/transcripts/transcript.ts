/** One command of an agent and what the real tools answered. */
export interface Step {
  readonly command: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * Reads a transcript: `$ ` begins a command and `> ` is its next line, two blanks stand before each line of stdout and `! ` before each of stderr,
 * `[1]` is an exit code other than 0, and `\` alone on a line says that the stream before it ended without a line end. `# ` is a remark.
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

/** What `time` and the runners of tests print of times differs with every run. */
export const anyTime = (text: string): string =>
  text
    .replaceAll(/^(! (?:real|user|sys)\t)\d+m\d+\.\d{3}s$/gm, (_, label: string) => `${label}0m0.000s`)
    .replaceAll(/ in \d+\.\d+s\b/g, " in 0.00s")
    // jest and vitest, which leave out what took no time.
    .replaceAll(/^([! ] *Time: +)\d.*$/gm, (_, label: string) => `${label}0 s`)
    .replaceAll(/ (?:\(\d+(?:\.\d+)? m?s\)|\d+(?:\.\d+)?m?s)$/gm, "");
