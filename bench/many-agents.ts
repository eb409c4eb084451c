import type { Page } from "playwright";

/** Starts `agents` dialogs at once with the provider at `url`. Returns the first dialog's id. */
export function startCrowd(page: Page, url: string, agents: number): Promise<string> {
  return page.evaluate(
    async ([address, count]) => {
      const send = (method: string, path: string, body: unknown) => fetch(path, { method, body: JSON.stringify(body) });
      await send("PUT", "provider/claude", { apiKey: "sk-bench", baseURL: address });
      await send("POST", "file/doc-main.md", { content: `# Many\n\n> Limit: agents ${count}\n` });
      const ids: string[] = [];
      for (let agent = 0; agent < count; agent += 1) {
        const made = await (await send("POST", "dialog/new", { provider: "claude", slug: `agent ${agent}` })).json();
        ids.push(made.dialogId);
      }
      for (const dialogId of ids) {
        const answer = await send("PUT", "dialog", { dialogId, prompt: "Go." });
        await answer.body?.cancel();
      }
      return ids[0] ?? "";
    },
    [url, agents] as const,
  );
}

/** Waits, at most a minute, until `is` returns true. */
export async function until(is: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!is()) {
    if (Date.now() > deadline) throw new Error("the streams did not open, or did not end");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
