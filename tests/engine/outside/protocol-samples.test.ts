// The samples of the universal agent protocol, run against the routes over real sockets: with a key in the address, and without if the
// bridge allows that.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { outsideBench } from "./outside-bench.ts";
import { serve } from "./outside-server.ts";

const run = promisify(execFile);
const has = async (program: string) =>
  run(program, ["--version"]).then(
    () => true,
    () => false,
  );
const [curl, python] = await Promise.all([has("curl"), has("python3")]);

interface ToolUse {
  readonly name: string;
  readonly category: string;
  readonly id: string;
  readonly input?: object;
  readonly context?: string;
  readonly success?: boolean;
  readonly duration?: number;
  readonly output?: object;
}

/** Behaves like the SDK's published client: it knows only an address, sends a name and a time with each event, and throws for any answer but 2xx. */
class Vibecraft2Client {
  readonly #server: string;
  #agentId: string | null = null;
  #source = "custom";
  constructor(server: string) {
    this.#server = server.replace(/\/$/, "");
  }
  async #post(path: string, body: object): Promise<unknown> {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${this.#server}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  }
  async register(name: string, framework: string, metadata?: object): Promise<string> {
    this.#source = framework;
    const { agent } = (await this.#post("/v2/agents/register", { name, framework, metadata })) as { agent: { agentId: string } };
    this.#agentId = agent.agentId;
    return agent.agentId;
  }
  setAgentId(agentId: string, source = "custom"): void {
    this.#agentId = agentId;
    this.#source = source;
  }
  #send = (type: string, more: object = {}) =>
    this.#post("/v2/event", {
      type,
      ...more,
      id: crypto.randomUUID(),
      timestamp: Date.now(),
      agentId: this.#agentId,
      source: this.#source,
    });
  toolStart = ({ name, category, id, input, context }: ToolUse) =>
    this.#send("tool_start", { tool: { name, category, id }, input, context });
  toolEnd = ({ name, category, id, ...more }: ToolUse) => this.#send("tool_end", { tool: { name, category, id }, ...more });
  idle = (reason?: string, response?: string) => this.#send("agent_idle", { reason, response });
  thinking = () => this.#send("agent_thinking");
  userInput = (text: string) => this.#send("user_input", { text });
  start = (trigger?: string) => this.#send("agent_start", { trigger });
  end = (reason?: string) => this.#send("agent_end", { reason });
  notify = (message: string, level?: string) => this.#send("notification", { message, level });
  /** It names itself as the parent, and names the child only by the tool use. */
  subagentSpawn = (toolUseId: string, description?: string) =>
    this.#send("subagent_spawn", { parentAgentId: this.#agentId, description, toolUseId });
  subagentEnd = (toolUseId: string) => this.#send("subagent_end", { toolUseId });
}

test.each([true, false])("the SDK (without a key: %s)", async (open) => {
  const b = await outsideBench();
  await using server = await serve(b.engine.fetch, open);
  const client = new Vibecraft2Client(open ? `${server.url}/` : `${server.url}/k/${b.key}`);
  const agentId = await client.register("My Agent", "my-framework");
  await client.toolStart({ name: "readFile", category: "read", id: "tool-001", context: "config.json" });
  await client.toolEnd({ name: "readFile", category: "read", id: "tool-001", success: true, duration: 150 });
  await client.idle();
  const { markdown, status } = await b.record();
  expect(status).toBe("waiting");
  expect(markdown).toContain(`> Session: ${agentId}`);
  expect(markdown).toMatch(
    /> Category: tool-001 read\n> Context: tool-001 config\.json\n[\s\S]*Tool request: readFile \[tool-001\][\s\S]*"ms": 150/,
  );
});

test("every call of the SDK is taken, and none of them is a second record", async () => {
  const b = await outsideBench();
  await using server = await serve(b.engine.fetch, false);
  const client = new Vibecraft2Client(`${server.url}/k/${b.key}`);
  await client.register("My Agent", "my-framework", { version: "1.0" });
  await client.start("startup");
  await client.userInput("Fix it");
  await client.thinking();
  const task = { name: "task", category: "delegate", id: "t1" };
  await client.toolStart({ ...task, input: { prompt: "look" } });
  await client.subagentSpawn("t1", "looks around");
  await client.subagentEnd("t1");
  await client.toolEnd({ ...task, success: true, output: { found: 3 } });
  for (const level of ["info", "warning", "error", "success"]) await client.notify(`level ${level}`, level);
  await client.idle("waiting", "All is well.");
  await client.end("exit");
  const { markdown, status } = await b.record();
  expect(await b.list()).toHaveLength(1);
  expect(status).toBe("done");
  for (const said of ["Fix it", '"found": 3', "level success", "All is well."]) expect(markdown).toContain(said);
  // An agent that was never registered counts as one, too.
  client.setAgentId("known-before", "other");
  await client.idle();
  expect(await b.list()).toHaveLength(2);
  expect(b.reported).toEqual([]);
});

test.skipIf(!curl)("curl", async () => {
  const b = await outsideBench();
  await using server = await serve(b.engine.fetch, true);
  const post = async (path: string, body: string) =>
    JSON.parse((await run("curl", ["-s", "-X", "POST", server.url + path, "-H", "Content-Type: application/json", "-d", body])).stdout) as {
      ok: boolean;
      agent: { agentId: string };
    };
  const { ok, agent } = await post("/v2/agents/register", '{"name": "My Agent", "framework": "python-agent"}');
  expect(ok).toBe(true);
  const sent = `{
    "type": "tool_start",
    "agentId": "${agent.agentId}",
    "source": "python-agent",
    "tool": {"name": "web_search", "category": "search", "id": "t1"},
    "context": "latest news"
  }`;
  expect(await post("/v2/event", sent)).toEqual({ ok: true });
  expect((await b.record()).markdown).toContain("> Context: t1 latest news");
});

const pythonSample = (server: string) => `
import requests
import uuid

SERVER = "${server}"

# Register
resp = requests.post(f"{SERVER}/v2/agents/register", json={
    "name": "Python Agent",
    "framework": "custom-python"
})
agent_id = resp.json()["agent"]["agentId"]

# Tool start
tool_id = str(uuid.uuid4())
requests.post(f"{SERVER}/v2/event", json={
    "type": "tool_start",
    "agentId": agent_id,
    "source": "custom-python",
    "tool": {"name": "web_scrape", "category": "network", "id": tool_id},
    "context": "example.com"
})

# Tool end
requests.post(f"{SERVER}/v2/event", json={
    "type": "tool_end",
    "agentId": agent_id,
    "source": "custom-python",
    "tool": {"name": "web_scrape", "category": "network", "id": tool_id},
    "success": True,
    "duration": 1200
})
`;

/*
 * The LangChain sample can't run as printed. The changes here: the two imports that it lacks, an agent id from register instead of None, and the
 * run's id as text, because a UUID isn't valid JSON.
 */
const langchainSample = (server: string) => `
import requests
import uuid
from langchain.callbacks.base import BaseCallbackHandler

class Vibecraft2Callback(BaseCallbackHandler):
    def __init__(self, server_url="http://localhost:4003"):
        self.server = server_url
        self.agent_id = None

    def on_tool_start(self, serialized, input_str, **kwargs):
        tool_name = serialized.get("name", "unknown")
        requests.post(f"{self.server}/v2/event", json={
            "type": "tool_start",
            "agentId": self.agent_id,
            "source": "langchain",
            "tool": {
                "name": tool_name,
                "category": self._categorize(tool_name),
                "id": str(kwargs.get("run_id", str(uuid.uuid4())))
            }
        })

    def _categorize(self, tool_name):
        categories = {
            "search": "search",
            "wikipedia": "network",
            "python_repl": "execute",
        }
        return categories.get(tool_name, "other")

callback = Vibecraft2Callback("${server}")
callback.agent_id = requests.post("${server}/v2/agents/register", json={"name": "Chain", "framework": "langchain"}).json()["agent"]["agentId"]
for name in ["search", "wikipedia", "python_repl", "mystery"]:
    callback.on_tool_start({"name": name}, "", run_id=uuid.uuid4())
`;

/** The parts of the two packages that the samples use. */
function packages(): string {
  const folder = mkdtempSync(join(tmpdir(), "samples-"));
  writeFileSync(
    join(folder, "requests.py"),
    `import json as j, urllib.request
class Response:
    def __init__(self, text): self.text = text
    def json(self): return j.loads(self.text)
def post(url, json):
    made = urllib.request.Request(url, data=j.dumps(json).encode(), headers={"Content-Type": "application/json"})
    return Response(urllib.request.urlopen(made).read().decode())
`,
  );
  mkdirSync(join(folder, "langchain", "callbacks"), { recursive: true });
  writeFileSync(join(folder, "langchain", "__init__.py"), "");
  writeFileSync(join(folder, "langchain", "callbacks", "__init__.py"), "");
  writeFileSync(join(folder, "langchain", "callbacks", "base.py"), "class BaseCallbackHandler:\n    pass\n");
  return folder;
}

test.skipIf(!python)("Python and LangChain", async () => {
  const b = await outsideBench();
  await using server = await serve(b.engine.fetch, true);
  const env = { ...process.env, PYTHONPATH: packages(), no_proxy: "*" };
  await Promise.all([pythonSample, langchainSample].map((sample) => run("python3", ["-c", sample(server.url)], { env })));
  const texts = async () => Promise.all((await b.list()).map(({ filename }) => b.text(`vibey/${filename}`)));
  const of = async (name: string) => (await texts()).find((text) => text.includes(`> Outside: ${name}`)) ?? "";
  expect(await texts()).toHaveLength(2);
  // Later events of a record are stored a moment after their answer.
  await expect
    .poll(async () => Array.from((await of("langchain")).matchAll(/> Category: \S+ (\w+)/g), ([, category]) => category))
    .toEqual(["search", "network", "execute", "other"]);
  await expect.poll(() => of("custom-python")).toMatch(/> Context: \S+ example\.com[\s\S]*"success": true, "ms": 1200/);
});
