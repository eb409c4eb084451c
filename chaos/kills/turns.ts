import type { ClaudeStandIn, Recorded, Turn } from "../../tests/stand-in/claude.ts";
import type { Random } from "../random.ts";

/** Each number ends with a point, so that a number cut in the middle isn't mistaken for another. */
const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `n${n}.`).join(" ");

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
}

/** Answers forever: a prompt that ends with the name of a turn gets text and calls, and any other request gets text. */
export function playForEver(server: ClaudeStandIn, random: Random): void {
  const next = (request: Recorded): Turn => {
    server.play(next);
    const messages = (request.body as { messages: readonly Message[] }).messages;
    const last = messages.at(-1);
    const parts = typeof last?.content === "string" ? [{ type: "text", text: last.content }] : (last?.content ?? []);
    const prompt = parts.findLast(({ type }) => type === "text")?.text ?? "";
    const faults = { pieceBytes: random.whole(200, 2_000), pieceMs: random.whole(1, 10) };
    const turn = /\b(t[0-9-]+)$/.exec(prompt)?.[1];
    if (turn === undefined) return { blocks: [{ text: numbered(random.whole(20, 200)) }], faults };
    const call = (name: string) => {
      const id = `toolu_${turn}_${name}`;
      const folder = turn.replace(/-\d+$/, "");
      return { call: "run_command", id, input: { command: `mkdir -p log && echo ${id} >> log/${folder}.txt` } };
    };
    return { blocks: [{ text: numbered(random.whole(20, 300)) }, call("a"), call("b"), call("c")], faults };
  };
  server.play(next);
}
