/** One command writes, changes and removes 30,000 files: the engine must keep answering other requests. */
import { parseDialog } from "../src/dialog/parse.ts";
import { say, startClaude } from "../tests/stand-in/claude.ts";
import { openBrowser } from "./browser.ts";
import { goal, note } from "./report.ts";

const count = Number(process.env["VIBEY_MANY_FILES"] ?? 30_000);
/** Milliseconds between two requests. */
const every = 50;

const bench = await openBrowser();
const claude = await startClaude();
const page = await bench.context.newPage();
await page.goto(bench.url);
await page.getByRole("tablist").first().waitFor();

const dialogId = await page.evaluate(
  async ([apiKey, baseURL]) => {
    const send = (method: string, path: string, body: unknown) => fetch(path, { method, body: JSON.stringify(body) });
    await send("PUT", "provider/claude", { apiKey, baseURL });
    await send("POST", "file/doc-asked.md", { content: "Asked again and again.\n" });
    await send("PUT", "dialog/limits", {});
    return (await (await send("POST", "dialog/new", { provider: "claude", slug: "many" })).json()).dialogId as string;
  },
  [claude.key, claude.url] as const,
);
await page.goto(`${bench.url}#/dialogs/${dialogId}`);

interface Asked {
  readonly what: string;
  readonly at: number;
  readonly ms: number;
}

interface Ran {
  readonly ms: number;
  readonly asked: readonly Asked[];
  readonly page: readonly number[];
  readonly stdout: string;
}

/** Runs a turn with this command and sends cheap requests at the same time, until `afterMs` milliseconds after the turn. */
async function run(command: string, afterMs: number): Promise<Ran> {
  claude.play({ blocks: [{ call: "run_command", id: `toolu_${crypto.randomUUID()}`, input: { command } }] }, say("That is all."));
  const { markdown, ...ran } = await page.evaluate(
    async ([id, rest, pause]) => {
      const questions: Record<string, () => Promise<Response>> = {
        "a doc": () => fetch("file/doc-asked.md"),
        "the list of dialogs": () => fetch("dialogs"),
        "a save": () => fetch("file/doc-saved.md", { method: "POST", body: JSON.stringify({ content: `${performance.now()}\n` }) }),
        "a dialog": () => fetch(`dialog/${id}`),
      };
      const asked: { what: string; at: number; ms: number }[] = [];
      const tasks: number[] = [];
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) tasks.push(duration);
      });
      observer.observe({ type: "longtask" });
      const started = performance.now();
      const asking = { over: false };
      const askers = Object.entries(questions).map(async ([what, ask]) => {
        while (!asking.over) {
          const at = performance.now();
          await (await ask()).text();
          asked.push({ what, at: at - started, ms: performance.now() - at });
          await new Promise((resolve) => setTimeout(resolve, pause));
        }
      });
      const turn = await fetch("dialog", {
        method: "PUT",
        body: JSON.stringify({ dialogId: id, prompt: "Please run it.", authorizations: ["run_command"] }),
      });
      await turn.text();
      const ms = performance.now() - started;
      await new Promise((resolve) => setTimeout(resolve, rest));
      asking.over = true;
      await Promise.all(askers);
      observer.disconnect();
      return { ms, asked, page: tasks, markdown: (await (await fetch(`dialog/${id}`)).json()).markdown as string };
    },
    [dialogId, afterMs, every] as const,
  );
  const call = parseDialog(markdown)
    .sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])))
    .at(-1);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of a command's result.
  const stdout = (call?.result as unknown as { readonly stdout?: string } | undefined)?.stdout;
  if (stdout === undefined) throw new Error(`${command}: ${JSON.stringify(call?.result)}`);
  return { ...ran, stdout };
}

const words = "word after word, ".repeat(8);
const loop = (body: string): string => `for i in $(seq ${count}); do ${body}; done`;
const commands = {
  writes: `mkdir -p many; ${loop(`echo "file $i ${words}" > many/f$i.txt`)}; ls many | wc -l`,
  changes: `${loop(`echo "changed $i ${words}" > many/f$i.txt`)}; ls many | wc -l`,
  removes: `rm -r many; ls | grep -c many`,
};

for (const [name, command] of Object.entries(commands)) {
  const { ms, asked, page: tasks, stdout } = await run(command, Number(process.env["VIBEY_REST"] ?? 30_000));
  note(`one that ${name} ${count} files: ${(ms / 1_000).toFixed(1)} s, prints ${stdout.trim()}; ${asked.length} questions meanwhile`);
  for (const what of new Set(asked.map((one) => one.what))) {
    const own = asked.filter((one) => one.what === what).toSorted((a, b) => b.ms - a.ms);
    note(
      `  ${what}: ${own
        .slice(0, 4)
        .map((one) => `${one.ms.toFixed(0)} ms at ${(one.at / 1_000).toFixed(1)} s`)
        .join(", ")}`,
    );
  }
  note(
    `  the page's longest tasks: ${tasks
      .toSorted((a, b) => b - a)
      .slice(0, 4)
      .map((t) => t.toFixed(0))
      .join(", ")} ms`,
  );
  goal(`longest wait for an answer, ms, while a command ${name} ${count} files`, Math.max(...asked.map((one) => one.ms)), { atMost: 200 });
}
await claude.close();
await bench.close();
