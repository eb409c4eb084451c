import type { AgentKeyAnswer, AsksAnswer, DialogAnswer, DialogListing, RegisteredAgent } from "../../../src/protocol/index.ts";
import { memoryAgentKeys } from "../../../src/engine/outside/key-store.ts";
import { bench, type Bench, type BenchOptions, type Reply } from "../harness.ts";
import { soon } from "../../soon.ts";

/** An engine with a key for an outside agent. */
export interface OutsideBench extends Bench {
  readonly key: string;
  readonly keyId: string;
  /** Sends a request as the agent, with the key in a header. */
  as(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  register(name?: string, framework?: string): Promise<string>;
  event(event: object): Promise<Response>;
  /** The records, newest first. */
  list(): Promise<DialogListing[]>;
  /** The only record, as the screen shows it. */
  record(): Promise<DialogAnswer>;
  /** Waits until the only record asks about `count` calls. */
  asks(count?: number): Promise<AsksAnswer>;
}

export async function outsideBench(options: BenchOptions = {}, replies: readonly Reply[] = []): Promise<OutsideBench> {
  return withAgent(await bench(replies, { agentKeys: memoryAgentKeys(), ...options }));
}

export async function withAgent(made: Bench, known?: { readonly key: string; readonly keyId: string }): Promise<OutsideBench> {
  const { key, id: keyId } = known ? { key: known.key, id: known.keyId } : await newKey(made);
  const as: OutsideBench["as"] = (method, path, body, headers = {}) => made.ask(method, path, body, { "x-agent-key": key, ...headers });
  const list = async () => (await (await made.ask("GET", "/dialogs?facts=all")).json()) as DialogListing[];
  const record = async () => {
    const [only] = await list();
    return (await (await made.ask("GET", `/dialog/${only?.dialogId ?? ""}`)).json()) as DialogAnswer;
  };
  return {
    ...made,
    key,
    keyId,
    as,
    list,
    record,
    async register(name = "My Agent", framework = "my-framework") {
      const answer = (await (await as("POST", "/v2/agents/register", { name, framework })).json()) as { agent: RegisteredAgent };
      return answer.agent.agentId;
    },
    event: (event) => as("POST", "/v2/event", event),
    asks: (count = 1) =>
      soon(async () => {
        const { dialogId } = await record();
        const asked = (await (await made.ask("GET", `/dialog/${dialogId}/asks`)).json()) as AsksAnswer;
        if (asked.calls.length !== count) throw new Error(`${asked.calls.length} calls are asked about`);
        return asked;
      }),
  };
}

export async function newKey(made: Pick<Bench, "ask">, name = "laptop"): Promise<AgentKeyAnswer> {
  return (await (await made.ask("POST", "/outside/keys", { name })).json()) as AgentKeyAnswer;
}
