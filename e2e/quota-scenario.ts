import JSZip from "jszip";
import { randomFrom } from "../chaos/random.ts";
import type { Asked } from "./app.ts";
import { type Ledger, note, type Stage } from "./quota-ledger.ts";
import { type Frame } from "../src/protocol/index.ts";
import { parseDialog } from "../src/dialog/parse.ts";
import type { Recorded, Turn } from "../tests/stand-in/claude.ts";

/** Repeats everything that stores something: docs, files of the deed, zips, dialogs with streamed text, and files written by tools and commands. */

/** A text of `length` letters that hardly compresses. The same name gives the same text. */
export function textOf(name: string, length: number): string {
  const random = randomFrom(Array.from(name).reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7));
  let made = "";
  while (made.length < length) made += `${random.next().toString(36).slice(2)} `;
  return made.slice(0, length).trim();
}

/** Sends a body, as text or as base64-encoded bytes. */
const send = ({ app }: Stage, method: string, path: string, body: string, isBase64 = false): Promise<Asked> =>
  app.page.evaluate(
    async ([how, where, what, packed]) => {
      const bytes = packed ? Uint8Array.from(atob(what), (letter) => letter.charCodeAt(0)) : what;
      const response = await fetch(where, { method: how, body: bytes });
      return { status: response.status, text: await response.text() };
    },
    [method, path, body, isBase64] as const,
  );

/** Stores one item of each kind. */
export async function storeEverything(stage: Stage, ledger: Ledger, round: number): Promise<void> {
  const { app } = stage;
  for (const [name, length] of [
    [`doc-${round}.md`, 20_000],
    ["doc-again.md", 15_000],
  ] as const) {
    const content = textOf(`${name} ${round}`, length);
    if (note(ledger, "doc", await app.ask("POST", `file/${name}`, { content }))) ledger.files.set(`vibey/${name}`, content);
  }
  const file = textOf(`file ${round}`, 40_000);
  if (note(ledger, "file", await send(stage, "PUT", `deed/data/${round}.txt`, file))) ledger.files.set(`data/${round}.txt`, file);

  const packed = [1, 2, 3].map((n) => [`packed/${round}-${n}.txt`, textOf(`packed ${round} ${n}`, 12_000)] as const);
  const zip = new JSZip();
  for (const [path, content] of packed) zip.file(path, content);
  if (note(ledger, "zip", await send(stage, "POST", "project.zip?into=here", await zip.generateAsync({ type: "base64" }), true)))
    for (const [path, content] of packed) ledger.files.set(path, content);

  await talk(stage, ledger, round);
}

// ---- dialogs

const said = (round: number) => textOf(`said ${round}`, 25_000);
const wrote = (round: number) => `Both are written: ${round}.`;
const files = (round: number) => [
  { id: `toolu_${round}_a`, path: `agents/${round}.txt`, content: textOf(`written ${round}`, 20_000) },
  { id: `toolu_${round}_b`, path: `agents/${round}-by-command.txt`, content: textOf(`printed ${round}`, 5_000) },
];

/** The model's answers: text and two calls for a prompt, and a sentence for the calls' results. */
export function answerOf({ body }: Recorded): Turn {
  const text = JSON.stringify(body.messages);
  const round = Number(/Write number (\d+)/.exec(text)?.[1]);
  if (text.includes("tool_result")) return { blocks: [{ text: wrote(round) }] };
  const [first, second] = files(round);
  const command = `mkdir -p agents; printf %s '${second?.content}' > ${second?.path}`;
  return {
    blocks: [
      { text: said(round) },
      { call: "write_file", id: first?.id ?? "", input: { path: first?.path, content: first?.content } },
      { call: "run_command", id: second?.id ?? "", input: { command } },
    ],
    faults: { pieceBytes: 2_000, pieceMs: 5 },
  };
}

/** Reads what the frames of an answer acknowledge. The only allowed failure is a full storage. */
function read(ledger: Ledger, { text }: Asked): { readonly calls: readonly string[]; readonly whole: boolean } {
  const frames = text
    .split("\n\n")
    .filter((each) => each.startsWith("data: "))
    .map((each): Frame => JSON.parse(each.slice("data: ".length)));
  for (const frame of frames)
    if (frame.type === "error" && !/storage is full/i.test(frame.error)) ledger.broken.push(`a turn ended with: ${frame.error}`);
  const done = frames.findLast((frame) => frame.type === "done");
  const calls = frames.findLast((frame) => frame.type === "tool_request")?.toolCalls ?? [];
  return { calls: calls.map(({ id }) => id), whole: done !== undefined && done.result.interrupted !== true };
}

/** A new dialog: a prompt, streamed text, calls that write files, and the answer to their results. */
export async function talk({ app }: Stage, ledger: Ledger, round: number): Promise<void> {
  const fresh = await app.ask("POST", "dialog/new", { provider: "claude", slug: `full-${round}` });
  if (!note(ledger, "prompt", fresh)) return void (ledger.refused.turn += 1);
  const id = (JSON.parse(fresh.text) as { dialogId: string }).dialogId;
  const dialog = { id, texts: [] as string[] };
  ledger.dialogs.push(dialog);
  const prompt = `Write number ${round}: ${textOf(`prompt ${round}`, 2_000)}`;
  const asked = await app.ask("PUT", "dialog", { dialogId: id, prompt });
  if (!note(ledger, "prompt", asked)) return;
  dialog.texts.push(prompt);
  const turned = read(ledger, asked);
  if (!turned.whole || turned.calls.length === 0) return void (ledger.refused.turn += 1);
  dialog.texts.push(said(round));
  const decisions = turned.calls.map((call) => ({ id: call, approved: true }));
  const decided = await app.ask("PUT", "dialog", { dialogId: id, decisions });
  if (!note(ledger, "prompt", decided)) return;
  const { markdown } = await app.json<{ markdown: string }>("GET", `dialog/${id}`);
  const calls = parseDialog(markdown).sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  for (const { id: callId, path, content } of files(round)) {
    const result = JSON.stringify(calls.find((call) => call.id === callId)?.result ?? null);
    if (/"success":true/.test(result)) ledger.files.set(path, content);
    // The agent has to be told, too: in the result.
    else if (result !== "null" && !/storage is full/.test(result)) ledger.broken.push(`${callId}: ${result}`);
  }
  if (!read(ledger, decided).whole) return void (ledger.refused.turn += 1);
  dialog.texts.push(wrote(round));
  ledger.kept.turn += 1;
}
