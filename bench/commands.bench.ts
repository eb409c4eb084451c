/** Six agents in Chromium, each with a command that waits seven seconds: when each is done, compared with the time of one. */
import { startWire } from "../tests/stand-in/wire.ts";
import { openBrowser } from "./browser.ts";
import { goal, note } from "./report.ts";

const agents = 6;
const seconds = 7;
const command = process.env["VIBEY_BENCH_COMMAND"] ?? `sleep ${seconds}`;

const wire = await startWire("messages");
wire.play(
  ...Array.from({ length: 200 }, () => (request: Parameters<typeof wire.sent>[0]) => {
    const ran = wire.sent(request).some((one) => "result" in one);
    return Promise.resolve({ blocks: ran ? [{ text: "Done." }] : [{ call: "run_command", input: { command } }] });
  }),
);

/** Seconds from the first prompt until each of `count` agents is done, in ascending order. */
async function measure(count: number): Promise<number[]> {
  const bench = await openBrowser();
  const page = await bench.context.newPage();
  await page.goto(bench.url);
  await page.getByRole("tablist").first().waitFor();
  const settings = { apiKey: wire.key, baseURL: wire.url, model: wire.model };
  const done = await page.evaluate(
    async ([provider, given, many]) => {
      const send = async (method: string, path: string, body: unknown) => {
        const response = await fetch(path, { method, body: JSON.stringify(body) });
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        return response;
      };
      await send("PUT", `provider/${provider}`, given);
      await send("POST", "file/doc-main.md", { content: "# Many\n\n> Authorized: run_command\n" });
      const times = new Map<string, number>();
      const began = performance.now();
      for (let nth = 0; nth < many; nth += 1) {
        const answer = await send("POST", "dialog", { provider, slug: `agent ${nth}`, prompt: "Go." });
        await answer.body?.cancel();
      }
      while (times.size < many) {
        const list: { dialogId: string; status: string }[] = await (await fetch("dialogs")).json();
        for (const { dialogId, status } of list)
          if (status !== "active" && !times.has(dialogId)) times.set(dialogId, (performance.now() - began) / 1000);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return [...times.values()];
    },
    [wire.provider, settings, count] as const,
  );
  await bench.close();
  return done.toSorted((one, other) => one - other);
}

const [alone = Number.NaN] = await measure(1);
const all = await measure(agents);
note(`${command}: one agent alone ${alone.toFixed(1)} s; ${agents} agents ${all.map((each) => each.toFixed(1)).join(", ")} s`);
goal(`the last of ${agents} agents with ${command}, against one alone`, (all.at(-1) ?? Number.NaN) / alone, { atMost: 1.5 });
await wire.close();
