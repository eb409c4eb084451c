/** The sandbox in Chromium compared with bash, GNU grep and Node on this machine: the same commands on the same 2,000 files. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "vite";
import { gitLibrary } from "../scripts/vite/git-library.ts";
import { jqWasm } from "../scripts/vite/jq-wasm.ts";
import { nodeInside } from "../scripts/vite/node-inside.ts";
import { nodeProcess } from "../scripts/vite/node-process.ts";
import { withoutNode } from "../scripts/vite/without-node.ts";
import { openBrowser } from "./browser.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const folder = ".cache/bench-sandbox";
mkdirSync(folder, { recursive: true });
await build({
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  base: "./",
  plugins: [jqWasm(), nodeProcess()],
  worker: { format: "es", plugins: () => [withoutNode(), gitLibrary(), jqWasm(), nodeInside(), nodeProcess()] },
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: { input: "bench/sandbox.page.ts", output: { entryFileNames: "page.js" } },
  },
});
writeFileSync(`${folder}/index.html`, '<!doctype html><title>sandbox</title><script type="module" src="page.js"></script>');
cpSync("public/program", `${folder}/program`, { recursive: true });
// The same headers as the app's: see public/_headers.
writeFileSync(`${folder}/_headers`, "/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n");

const contents = Array.from({ length: 2000 }, (_, i): [string, string] => {
  const line = `export const value${i} = ${i}; // line\n`;
  return [`src/part${i % 40}/file${i}.ts`, line.repeat(Math.ceil(2300 / line.length)).slice(0, 2300)];
});

const here = mkdtempSync(join(tmpdir(), "vibey-bench-sandbox-"));
for (const [path, text] of contents) {
  mkdirSync(dirname(join(here, path)), { recursive: true });
  writeFileSync(join(here, path), text);
}

/** Milliseconds of a command in bash on this machine, including its start. */
function bash(command: string): number {
  const started = performance.now();
  execFileSync("bash", ["-c", command], { cwd: here, stdio: "ignore" });
  return performance.now() - started;
}

const common = [
  "ls -la src",
  "cat src/part1/file1.ts | head -5",
  "find src -name '*1.ts' | wc -l",
  "sed -n '1,3p' src/part2/file2.ts",
  "echo hello > /tmp/a.txt && cat /tmp/a.txt",
  "for i in 1 2 3 4 5; do echo $i; done",
  "wc -l src/part3/*.ts | tail -1",
  "grep -c line src/part4/file4.ts",
  "awk '{ print $3 }' src/part5/file5.ts | sort -u",
  "mkdir -p /tmp/x/y && touch /tmp/x/y/z && rm -r /tmp/x",
];
const loops = [
  "i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done",
  "i=0; while [[ $i -lt 2000 ]]; do i=$((i + 1)); done",
  "f() { local a=$1; x=$a; }; for i in {1..2000}; do f $i; done",
  "fib() { local n=$1; if [ $n -lt 2 ]; then r=$n; return; fi; fib $((n - 1)); local a=$r; fib $((n - 2)); r=$((a + r)); }; fib 12",
  "for i in {1..2000}; do case $i in *7) x=1;; *[02468]) x=2;; *) x=3;; esac; done",
  "for i in {1..2000}; do s=a/b/$i.txt; x=${s%%.*}; y=${x##*/}; z=${y/1/2}; done",
  "for i in {1..2000}; do a+=(x); done",
  "seq 1 2000 > /tmp/lines; while read -r line; do n=$((n + 1)); done < /tmp/lines",
  "for i in {1..500}; do echo $i >> /tmp/appended; done; rm /tmp/appended",
  "for i in {1..500}; do printf '%05d\\n' $i; done > /dev/null",
  "for i in {1..500}; do x=$(echo $i); done",
  "for i in {1..200}; do echo a | grep a; done > /dev/null",
  "for i in {1..200}; do sed -n 1p src/part1/file1.ts; done > /dev/null",
];
const search = "grep -rn 'value199[0-9] ' src | wc -l";
const json = `node -e "const a = []; for (let i = 0; i < 100000; i++) a.push({ id: i, n: 'name' + ((i * 7919) % 100003) }); a.sort((x, y) => (x.n < y.n ? -1 : 1)); console.log(JSON.parse(JSON.stringify(a)).length)"`;
const loop = `node -e "let s = 0; for (let i = 0; i < 5e6; i++) s = (s + i * 7) % 1000003; console.log(s)"`;

const bench = await openBrowser({ root: folder });
const usable: number[] = [];
/** Milliseconds of processor time of the pages' processes, which a busy machine changes less. */
const usableWork: number[] = [];
const restartWork: number[] = [];
const first: number[] = [];
const ratios: Record<"common" | "search" | "loop" | "json" | "loopInFrame" | "jsonInFrame", number[]> = {
  common: [],
  search: [],
  loop: [],
  json: [],
  loopInFrame: [],
  jsonInFrame: [],
};
const loopRatios = new Map(loops.map((command): [string, number[]] => [command, []]));
const restarts: number[] = [];
const aborts: number[] = [];

for (let round = 0; round < 5; round += 1) {
  const page = await bench.context.newPage();
  await page.goto(bench.url);
  await page.waitForLoadState("load");
  const run = async (command: string, abortAfter?: number): Promise<number> => {
    const { ms, exitCode, stderr } = await page.evaluate(([line, after]) => window.bench.run(line, after ?? undefined), [
      command,
      abortAfter ?? null,
    ] as const);
    if (exitCode !== (abortAfter === undefined ? 0 : 130)) throw new Error(`${command}: ${exitCode} ${stderr}`);
    return ms;
  };
  const worked = async (command: string, times: number[], work: number[]): Promise<void> => {
    const before = await bench.cpu();
    times.push(await run(command));
    work.push(((await bench.cpu()) - before) * 1_000);
  };
  await page.evaluate(() => window.bench.open([]));
  await worked("true", usable, usableWork);
  await page.evaluate((files) => window.bench.open(files), contents);
  first.push(await run("true"));

  for (const command of common) await run(command);
  ratios.common.push(median(await inTurn(common, async (command) => (await run(command)) / bash(command))));
  for (const [command, times] of loopRatios) times.push((await run(command)) / bash(command));
  await run(search);
  ratios.search.push((await run(search)) / bash(search));
  await run(loop);
  ratios.loop.push((await run(loop)) / bash(loop));
  ratios.json.push((await run(json)) / bash(json));
  for (const endless of ["while :; do :; done", "awk 'BEGIN { while (1) i++ }'", `node -e "for (;;);"`]) {
    aborts.push((await run(endless, 300)) - 300);
    await worked("true", restarts, restartWork);
  }
  await page.evaluate((files) => window.bench.open(files, true), contents);
  // The first program creates the frame.
  await run(loop);
  ratios.loopInFrame.push((await run(loop)) / bash(loop));
  ratios.jsonInFrame.push((await run(json)) / bash(json));
  await page.close();
}
await bench.close();
rmSync(here, { recursive: true, force: true });

async function inTurn<T>(all: readonly string[], work: (one: string) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}

goal("milliseconds until the shell is usable", median(usable), { atMost: 250 });
note(`  of processor time: ${median(usableWork).toFixed(0)} ms`);
note(`first command over 2,000 files: ${median(first).toFixed(0)} ms`);
note(`ten common commands: ${median(ratios.common).toFixed(2)} times as long as bash, its start included`);
for (const [command, times] of loopRatios) note(`${median(times).toFixed(1)} times as long as bash, its start included: ${command}`);
goal("grep -rn over 2,000 files: times as long as GNU grep", median(ratios.search), { atMost: 10 });
note(`5 million steps in node: ${median(ratios.loop).toFixed(1)} times as long as Node, its start included`);
note(`100,000 objects sorted and through JSON in node: ${median(ratios.json).toFixed(1)} times as long as Node, its start included`);
goal("5 million steps on the browser's own engine: times as long as Node, start included", median(ratios.loopInFrame), { atMost: 2 });
goal("100,000 objects through JSON there: times as long as Node, start included", median(ratios.jsonInFrame), { atMost: 2 });
goal("milliseconds from an abort to its answer, at most", Math.max(...aborts), { atMost: 100 });
goal("milliseconds from then to the answer of the next command", median(restarts), { atMost: 300 });
note(`  of processor time: ${median(restartWork).toFixed(0)} ms`);
