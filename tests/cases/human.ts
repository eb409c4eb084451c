import { expect } from "vitest";
import { liveEventsIn } from "../live-event.ts";
import type { DialogAnswer, DialogListing, Frame } from "../../src/protocol/index.ts";
import type { JsonObject } from "../../src/dialog/model.ts";
import type { Project } from "./points.ts";

export type Ask = (method: string, path: string, body?: JsonObject) => Promise<Response>;

export const asking =
  (handler: (request: Request) => Promise<Response>): Ask =>
  (method, path, body) =>
    handler(new Request(`http://engine${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }));

/** What the engine acknowledged. */
export interface Acknowledged {
  readonly prompts: string[];
  readonly decisions: string[];
}

/**
 * A user who sends prompts and approves requests. After any failure they look at the state and continue from there, to the end of three turns.
 * `ask` may fail in any way.
 */
export async function human(project: Project, ask: Ask, acknowledged: Acknowledged, again: () => Promise<Ask>): Promise<void> {
  let call = ask;
  for (let round = 0; round < 40; round++) {
    try {
      const all = (await answered(await call("GET", "/dialogs"))) as readonly DialogListing[];
      const boss = all.find(({ dialogId }) => dialogId.endsWith("-boss"));
      if (all.some(({ status }) => status === "active")) {
        project.pump();
        await new Promise((resolve) => setImmediate(resolve));
        round--;
        continue;
      }
      if (boss?.status === "done" && acknowledged.prompts.length >= 2) return;
      const word = `Word ${round}`;
      if (!boss) {
        const body = { provider: project.wire.provider, model: project.wire.model, slug: "boss", prompt: word };
        if (!(await turn(await call("POST", "/dialog", body), () => acknowledged.prompts.push(word)))) call = await again();
        continue;
      }
      const dialog = (await answered(await call("GET", `/dialog/${boss.dialogId}`))) as DialogAnswer;
      const pending = dialog.messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === "call" && part.call.state === "pending" ? [part.call] : [])),
      );
      const approval = {
        decisions: pending.map(({ id }) => `${id}: approve`).join("\n"),
        hashes: Object.fromEntries(pending.map(({ id, hash }) => [id, hash])),
      };
      const body = pending.length > 0 ? approval : { prompt: word };
      const taken = () => {
        if (pending.length > 0) acknowledged.decisions.push(...pending.map(({ id }) => id));
        else acknowledged.prompts.push(word);
      };
      if (!(await turn(await call("PUT", "/dialog", { dialogId: boss.dialogId, ...body }), taken))) call = await again();
    } catch (error) {
      project.told.push(String(error));
      call = await again();
    }
  }
  throw new Error(`it never came to its end: ${project.told.join(" | ")}`);

  async function answered(response: Response): Promise<unknown> {
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Returns false if the turn did not end properly. */
  async function turn(response: Response, taken: () => void): Promise<boolean> {
    if (response.ok) taken();
    const text = await patiently(response.text());
    if (!response.ok) {
      project.told.push(`${response.status} ${text}`);
      return false;
    }
    if (response.headers.get("content-type") !== "text/event-stream") return true;
    const frames = text.split("\n\n").flatMap((block) => (block === "" ? [] : [JSON.parse(block.slice("data: ".length)) as Frame]));
    for (const frame of frames) if (frame.type === "error") project.told.push(frame.error);
    expect(frames.at(-1)).toMatchObject({ type: "done" });
    return frames.every(({ type }) => type !== "error");
  }

  async function patiently<T>(work: Promise<T>): Promise<T> {
    const state = { over: false };
    const done = work.finally(() => {
      state.over = true;
    });
    done.catch(() => undefined);
    while (!state.over) {
      project.pump();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return done;
  }
}

/** Collects the engine's notices, which the screen would show. */
export async function hear(project: Project, ask: Ask): Promise<void> {
  const { body } = await ask("GET", "/events");
  if (!body) throw new Error("no events");
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of body) {
      for (const event of liveEventsIn(decoder.decode(chunk, { stream: true })))
        if (event.type === "notice") project.told.push(event.data.message);
    }
  })().catch(() => undefined);
}
