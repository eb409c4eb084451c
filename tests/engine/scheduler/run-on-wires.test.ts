// A run over real HTTP on each wire, with stand-ins that refuse what the real servers refuse.
import { expect, test } from "vitest";
import type { Provider } from "../../../src/engine/providers/provider.ts";
import { soon } from "../../soon.ts";
import { type Reply, say } from "../../stand-in/reply.ts";
import type { Recorded } from "../../stand-in/serve.ts";
import { bench as claude } from "../providers/claude/setup.ts";
import { bench as openai } from "../providers/openai/setup.ts";
import { run, start, states, team, textOf, until } from "./team.ts";

interface Wire {
  readonly provider: Provider;
  readonly model: string;
  readonly api: { readonly requests: readonly Recorded[]; play(...turns: ((request: Recorded) => Reply)[]): void };
}

const wires: Readonly<Record<string, () => Promise<Wire>>> = {
  "/v1/messages": async () => ({ ...(await claude({ official: true })), model: "claude-sonnet-5-5" }),
  "/v1/responses": async () => ({ ...(await openai({ official: true })), model: "gpt-6-sol" }),
  "/v1/chat/completions": async () => ({ ...(await openai({ official: true })), model: "gpt-5.5" }),
};

const use = (call: string, id: string, input: object): Reply => ({ blocks: [{ call, id, input }] });
/** The answers of each agent, in order. */
const parts = (): Readonly<Record<"lead" | "two", Reply[]>> => ({
  lead: [
    {
      blocks: [
        { text: "I start two." },
        { call: "spawn_agent", id: "call_a", input: { filename: "two.md", content: "You are two.", task: "Look." } },
      ],
    },
    say("I wait."),
    use("vfs_read", "call_b", { path: "artifacts/a.md" }),
    say("All done."),
  ],
  two: [
    {
      blocks: [
        { call: "vfs_write", id: "call_c", input: { path: "artifacts/a.md", content: "Facts." } },
        { call: "vfs_list", id: "call_d", input: { prefix: "none/" } },
      ],
    },
    use("vfs_read", "call_e", { path: "artifacts/b.md" }),
    use("signal_parent", "call_f", { message: "It is there." }),
    say("Finished."),
  ],
});

test.each(Object.keys(wires))(
  "a run over %s: agents start, write, are told of errors, signal, and finish, and no request is refused",
  async (path) => {
    const wire = await wires[path]?.();
    if (!wire) throw new Error(path);
    const left = parts();
    const turn = ({ raw }: Recorded): Reply => left[raw.includes("You lead.") ? "lead" : "two"].shift() ?? say("Done.");
    wire.api.play(...Array.from({ length: 20 }, () => turn));
    const b = await team({}, { answer: (request, signal) => wire.provider.stream({ ...request, model: wire.model }, signal) });
    await start(b);
    await soon(async () => expect(await textOf(b, "orchestrator")).toContain("All done."));
    await until(b, "completed");
    expect(await states(b)).toEqual(["orchestrator.md completed", "two.md completed"]);
    const asked = wire.api.requests.filter(({ method }) => method === "POST");
    expect(asked.map(({ refused }) => refused).filter((refused) => refused !== null)).toEqual([]);
    const taken = asked.filter(({ refused }) => refused === null);
    expect([...new Set(taken.map((one) => one.path))]).toEqual([path]);
    expect(taken.length).toBeGreaterThanOrEqual(8);
    expect(await b.text("artifacts/a.md")).toBe("Facts.");
    // The messages to the agents went over the wire.
    const told = taken.map(({ raw }) => raw).join("\n");
    for (const words of [
      "Created and activated 'two.md' (depth 1/5)",
      "No files match prefix 'none/'",
      "'artifacts/b.md' not found",
      "Message sent to parent 'orchestrator.md'. Re-activating.",
    ])
      expect(told).toContain(words);
    expect((await run(b)).tokens).toBe(taken.length * 15);
    expect(b.reported).toEqual([]);
  },
);
