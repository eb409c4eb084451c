/**
 * An agent in Chromium tries to launch a thousand others: how many start, how long until all are launched or refused, and how long Stop all
 * takes.
 */
import { startWire } from "../tests/stand-in/wire.ts";
import { openBrowser } from "./browser.ts";
import { goal, note } from "./report.ts";

const wanted = 1_000;
/** The number of launches that each launched agent tries itself, so that there is more than one launcher. */
const each = 60;

const wire = await startWire("messages");
const launch = (nth: number) => ({
  call: "launch_agent",
  input: { provider: wire.provider, model: wire.model, slug: `worker ${nth}`, prompt: "worker" },
});
let launched = 0;
const launches = (count: number) => ({ blocks: Array.from({ length: count }, () => launch((launched += 1))) });
/** After its launches an agent keeps writing, so that it keeps its slot. */
const endless = { blocks: [{ text: "Once upon a time. ".repeat(400) }], faults: { stallAfterBytes: 900 } };
let leads = 0;
wire.play(
  ...Array.from({ length: wanted }, () => (request: Parameters<typeof wire.sent>[0]) => {
    const tried = wire.sent(request).some((one) => "result" in one);
    if (tried) return Promise.resolve(endless);
    leads += 1;
    return Promise.resolve(launches(leads === 1 ? wanted : each));
  }),
);

const bench = await openBrowser();
const page = await bench.context.newPage();
await page.goto(bench.url);
await page.getByRole("tablist").first().waitFor();
const settings = { apiKey: wire.key, baseURL: wire.url, model: wire.model };
const found = await page.evaluate(
  async ([provider, given]) => {
    const send = async (method: string, path: string, body: unknown) => {
      const response = await fetch(path, { method, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response;
    };
    await send("PUT", `provider/${provider}`, given);
    await send("POST", "file/doc-main.md", { content: "# Many\n\n> Authorized: launch_agent\n" });
    const began = performance.now();
    await (await send("POST", "dialog", { provider, slug: "lead", prompt: "lead" })).body?.cancel();
    const list = async (): Promise<{ dialogId: string; status: string }[]> => (await fetch("dialogs")).json();
    const refusals = async () => {
      let refused = 0;
      for (const { dialogId } of await list()) {
        const { markdown }: { markdown: string } = await (await fetch(`dialog/${dialogId}`)).json();
        refused += markdown.split("No dialog was created").length - 1;
      }
      return refused;
    };
    const count = async () => {
      const { running, queued }: { running: string[]; queued: string[] } = await (await fetch("limits")).json();
      return { dialogs: (await list()).length, running: running.length, queued: queued.length, refused: await refusals() };
    };
    // After the first launches, the end is when the counts have not changed for five seconds.
    let now = await count();
    let since = performance.now();
    while (now.dialogs === 1 || performance.now() - since < 5_000) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const next = await count();
      if (next.dialogs !== now.dialogs || next.refused !== now.refused) since = performance.now();
      now = next;
    }
    const settled = since - began;
    const stops = performance.now();
    const { stopped }: { stopped: string[] } = await (await send("PUT", "dialogs", { status: "waiting" })).json();
    const stopping = performance.now() - stops;
    const active = (await list()).filter(({ status }) => status === "active").length;
    return { ...now, settled, stopped: stopped.length, stopping, active };
  },
  [wire.provider, settings] as const,
);
await bench.close();
await wire.close();

note(`${wanted} tried by the first agent, and ${each} by each further one`);
note(`${found.dialogs} dialogs, ${found.running} of them running and ${found.queued} in the queue; ${found.refused} launches refused`);
note(`all launched or refused after ${(found.settled / 1000).toFixed(1)} s`);
note(`Stop all stopped ${found.stopped} in ${(found.stopping / 1000).toFixed(2)} s`);
goal("dialogs in all", found.dialogs, { atMost: 201 });
goal("dialogs active after Stop all", found.active, { atMost: 0 });
