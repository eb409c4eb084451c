import { describe, expect, test } from "vitest";
import type { NetworkAsk } from "../../../src/protocol/index.ts";
import type { NetRequest } from "../../../src/shell/network.ts";
import { type Bench, call, ended, outcome, type Reply } from "../harness.ts";
import { answer, askOf, begin, done, go, request, view, wired, type Wired, type WiredOptions } from "./commands.ts";

/** What may be sent to an allowed host: by method, by what a request carries, and by what a person has read. */

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const post = (text: string, more: Partial<NetRequest> = {}): Partial<NetRequest> => ({
  body: bytes(text),
  headers: [["content-type", "application/json"]],
  ...more,
});

interface Made {
  readonly b: Wired;
  readonly id: string;
  /** The result of each request, in order. */
  readonly got: string[];
  readonly turn: Promise<string>;
}

type Line = readonly [line: string, more?: Partial<NetRequest>];

/** A command that sends these requests one after the other. `text`: the command that a person approved; without it, the command runs unasked. */
async function run(lines: readonly Line[], { text, ...options }: WiredOptions & { readonly text?: string } = {}): Promise<Made> {
  const got: string[] = [];
  const reply: Reply = [call("c1", "run_command", { command: text ?? "x" }), ended];
  const b = await wired([reply, done], {
    async run(_command, signal, { network }) {
      for (const [line, more] of lines) {
        const one = await network?.(request(line, more), { signal, waitsForHuman: () => undefined });
        got.push(one?.kind === "answer" ? `${one.status}` : `${one?.kind}: ${one?.why}`);
      }
      return outcome("");
    },
    ...options,
  });
  const id = text === undefined ? await begin(b) : await unauthorized(b);
  const turn = go(b, id).then(async (response) => {
    const said = await response.text();
    if (text === undefined) return said;
    return (await b.ask("PUT", "/dialog", { dialogId: id, decisions: [{ id: "c1", approved: true }] })).text();
  });
  return { b, id, got, turn };
}

async function unauthorized(b: Bench): Promise<string> {
  return ((await (await b.ask("POST", "/dialog/new", { provider: "claude", slug: "net" })).json()) as { dialogId: string }).dialogId;
}

/** Waits for the next question that differs from `before`. */
async function asked({ b, id }: Made, before?: NetworkAsk): Promise<NetworkAsk> {
  let open: NetworkAsk | null = null;
  await expect
    .poll(async () => {
      open = askOf((await view(b, id)).activity);
      return open !== null && open.question !== before?.question;
    })
    .toBe(true);
  if (!open) throw new Error("nothing is asked");
  return open;
}

function say({ b, id }: Made, { host, question }: Pick<NetworkAsk, "host" | "question">, allow: unknown): Promise<Response> {
  return b.ask("PUT", "/dialog", { dialogId: id, network: [{ host, allow, question }] });
}

async function networkLines({ b }: Made): Promise<string[]> {
  return (await b.dialog()).markdown.match(/^> Network.*$/gm) ?? [];
}

describe("GET only", () => {
  test("lets GET and HEAD out, and asks again for another method; the answer widens the line", async () => {
    const made = await run([["GET https://a.example/x"], ["HEAD https://a.example/"], ["DELETE https://a.example/x"]]);
    const first = await asked(made);
    expect(first).toMatchObject({ needs: "GET only", now: null });
    await say(made, first, "GET only");
    const second = await asked(made, first);
    expect(second).toMatchObject({ needs: "any method", now: "GET only", method: "DELETE", carries: [] });
    expect(made.b.sent.map(({ method }) => method)).toEqual(["GET", "HEAD"]);
    await say(made, second, "any method");
    await made.turn;
    expect(made.got).toEqual(["200", "200", "200"]);
    expect(await networkLines(made)).toEqual(["> Network: a.example GET only", "> Network: a.example any method"]);
  });

  test("kept when more was asked for, it is not asked for again", async () => {
    const made = await run([
      ["GET https://a.example/"],
      ["DELETE https://a.example/x"],
      ["DELETE https://a.example/y"],
      ["GET https://a.example/"],
    ]);
    const first = await asked(made);
    await say(made, first, "GET only");
    await say(made, await asked(made, first), "GET only, no more");
    await made.turn;
    expect(made.got).toEqual([
      "200",
      expect.stringMatching(/^refused: the user didn't allow requests other than GET/),
      expect.stringMatching(/^refused/),
      "200",
    ]);
    expect(made.b.sent.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  test("as the answer to another method lets nothing of it out, and is asked once in a command", async () => {
    const made = await run([["DELETE https://a.example/x"], ["DELETE https://a.example/y"], ["GET https://a.example/"]]);
    const first = await asked(made);
    expect(first).toMatchObject({ needs: "any method", now: null });
    await say(made, first, "GET only");
    await made.turn;
    expect([made.got.map((one) => one.slice(0, 7)), made.b.sent.map(({ method }) => method)]).toEqual([
      ["refused", "refused", "200"],
      ["GET"],
    ]);
  });

  test.each<readonly [string, Line, readonly string[]]>([
    ["a long address", [`GET https://a.example/?${"x".repeat(300)}`], ["address"]],
    ["a long header", ["GET https://a.example/", { headers: [["x-note", "x".repeat(300)]] }], ["address"]],
    ["a token", ["GET https://a.example/", { headers: [["Authorization", "Bearer t"]] }], ["credentials"]],
    ["a key by another name", ["GET https://a.example/", { headers: [["X-Goog-Api-Key", "k"]] }], ["credentials"]],
    ["a body under a read's address", ["POST https://a.example/git-upload-pack", post("x".repeat(300))], ["body"]],
    [
      "what claims to be a question for a repository",
      [
        "POST https://a.example/x/git-upload-pack",
        { body: bytes("x".repeat(300)), headers: [["content-type", "application/x-git-upload-pack-request"]] },
      ],
      ["body"],
    ],
  ])("does not let out %s", async (_name, line, carries) => {
    const made = await run([["GET https://a.example/"], line]);
    const first = await asked(made);
    await say(made, first, "GET only");
    const second = await asked(made, first);
    expect(second).toMatchObject({ needs: "any method and uploads", now: "GET only", carries });
    expect(made.b.sent).toHaveLength(1);
    await say(made, second, "GET only, no more");
    await made.turn;
    expect(made.b.sent).toHaveLength(1);
  });
});

describe("the first upload", () => {
  test("is asked for by itself though all methods are allowed, with its size, type and file; the answer is remembered", async () => {
    const made = await run([
      ["DELETE https://a.example/x"],
      ["POST https://a.example/y", post("Hello.\n")],
      ["PUT https://a.example/z", post("More.\n")],
    ]);
    await made.b.ask("POST", "/file/doc-note.md", { content: "Hello.\n" });
    const first = await asked(made);
    await say(made, first, true);
    const second = await asked(made, first);
    expect(second).toMatchObject({
      needs: "any method and uploads",
      now: "any method",
      method: "POST",
      url: "https://a.example/y",
      body: { bytes: 7, type: "application/json" },
      carries: ["body"],
      files: ["vibey/doc-note.md"],
    });
    expect(made.b.sent).toHaveLength(1);
    await say(made, second, "any method and uploads");
    await made.turn;
    expect(made.got).toEqual(["200", "200", "200"]);
    expect(await networkLines(made)).toEqual(["> Network: a.example any method", "> Network: a.example any method and uploads"]);
  });

  test("to a host that nobody has said a word about: all methods alone do not let it out", async () => {
    const made = await run([["POST https://a.example/y", post("Hello.\n")]]);
    const first = await asked(made);
    expect(first).toMatchObject({ needs: "any method and uploads", now: null });
    await say(made, first, true);
    const second = await asked(made, first);
    expect([second.now, made.b.sent]).toEqual(["any method", []]);
    await say(made, second, "any method, no uploads");
    await made.turn;
    expect([made.got[0]?.slice(0, 7), made.b.sent]).toEqual(["refused", []]);
  });

  test("is none when a person approved the very command that holds what is sent", async () => {
    const made = await run(
      [
        ["POST https://a.example/", post('{"a":1}')],
        ["GET https://a.example/", { headers: [["authorization", "Bearer seen"]] }],
      ],
      {
        text: `curl -d '{"a":1}' https://a.example/ -H 'authorization: Bearer seen'`,
      },
    );
    const first = await asked(made);
    expect(first).toMatchObject({ needs: "any method", carries: [], credentials: [] });
    await say(made, first, true);
    await made.turn;
    expect(made.got).toEqual(["200", "200"]);
  });

  test("is one when the same command ran without being asked about", async () => {
    const made = await run([["POST https://a.example/", post("x")]]);
    expect(await asked(made)).toMatchObject({ needs: "any method and uploads" });
    await made.b.ask("PUT", "/dialog", { dialogId: made.id, status: "waiting" });
    await made.turn;
    expect(made.b.sent).toEqual([]);
  });

  test.each([307, 308])("a redirect with %i takes a body to no host that may not have it", async (status) => {
    const made = await run([["POST https://a.example/", post("secret")]], {
      reply: ({ url }) =>
        url === "https://a.example/" ? { kind: "redirect", location: "https://b.example/", answer: answer(url, status) } : answer(url),
    });
    await made.b.ask("PUT", "/dialog", { dialogId: made.id, network: [{ host: "b.example", allow: "GET only" }] });
    const first = await asked(made);
    await say(made, first, "any method and uploads");
    const second = await asked(made, first);
    expect(second).toMatchObject({ host: "b.example", needs: "any method and uploads", now: "GET only" });
    await say(made, second, "GET only, no more");
    await made.turn;
    expect(made.b.sent.map(({ url }) => url)).toEqual(["https://a.example/"]);
  });
});

test("a clone is a read: what it asks a repository for, its server has told", async () => {
  const oid = "0123456789abcdef0123456789abcdef01234567";
  const line = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text;
  const type = ["content-type", "application/x-git-upload-pack-request"] as const;
  const want = bytes(`${line(`want ${oid} side-band-64k agent=git/x\n`)}${line(`want ${oid}\n`).repeat(50)}0000${line("done\n")}`);
  const made = await run(
    [
      ["GET https://a.example/r/info/refs?service=git-upload-pack"],
      ["POST https://a.example/r/git-upload-pack", { body: want, headers: [type] }],
    ],
    {
      reply: ({ url }) => answer(url, 200, `${oid} HEAD\n`),
    },
  );
  await say(made, await asked(made), "GET only");
  await made.turn;
  expect(made.got).toEqual(["200", "200"]);
});

describe("an answer", () => {
  test("names the question that it answers: another one, a stale one and none are not taken", async () => {
    const made = await run([["GET https://a.example/"], ["DELETE https://a.example/"]]);
    const first = await asked(made);
    for (const network of [
      [{ host: "a.example", allow: true }],
      [{ host: "a.example", allow: true, question: "0000000000000000" }],
      [{ host: "b.example", allow: true, question: first.question }],
    ]) {
      const refused = await made.b.ask("PUT", "/dialog", { dialogId: made.id, network });
      expect([refused.status, await refused.json()]).toMatchObject([409, { question: first.question }]);
    }
    expect([await networkLines(made), made.b.sent]).toEqual([[], []]);
    expect((await say(made, first, "GET only")).status).toBe(200);
    const second = await asked(made, first);
    // If it counted again, the answer to the first question would grant more for the second one.
    expect((await say(made, first, true)).status).toBe(409);
    expect(made.b.sent).toHaveLength(1);
    expect((await say(made, second, true)).status).toBe(200);
    await made.turn;
    expect((await say(made, second, true)).status).toBe(409);
    expect(made.got).toEqual(["200", "200"]);
  });

  test("can be given as text", async () => {
    const made = await run([["GET https://a.example:8443/"]]);
    const { host, question } = await asked(made);
    const network = `əəə\n${host} ${question}: GET only\nb.example: refuse\nəəə`;
    expect((await made.b.ask("PUT", "/dialog", { dialogId: made.id, network })).status).toBe(200);
    await made.turn;
    expect(await networkLines(made)).toEqual(["> Network: a.example:8443 GET only", "> Network refused: b.example"]);
  });

  test("that allows less than an older line takes that one back for an earlier Vibey, too", async () => {
    const b = await wired([]);
    const name = "dialog-20261121-201100-old-waiting.md";
    await b.ask("POST", `/file/${name}`, { content: "# Dialog\n> Format: 1\n> Network: a.example\n" });
    const [{ dialogId } = { dialogId: "" }] = (await (await b.ask("GET", "/dialogs")).json()) as { dialogId: string }[];
    expect((await b.ask("PUT", "/dialog", { dialogId, network: [{ host: "a.example", allow: "GET only" }] })).status).toBe(200);
    expect((await b.dialog()).markdown).toContain("\n> Network refused: a.example\n> Network: a.example GET only\n");
    expect((await view(b, dialogId)).network.hosts).toEqual([{ host: "a.example", word: "GET only" }]);
  });
});

test("two kinds of requests to one host at once are two questions, and the answer to one is none to the other", async () => {
  const got: string[] = [];
  const b = await wired([[call("c1", "run_command", { command: "x" }), ended], done], {
    async run(_command, signal, { network }) {
      const context = { signal, waitsForHuman: () => undefined };
      const both = ["GET https://a.example/", "DELETE https://a.example/x"].map(async (line) => network?.(request(line), context));
      for (const one of await Promise.all(both)) got.push(one?.kind === "answer" ? `${one.status}` : `${one?.kind}: ${one?.why}`);
      return outcome("");
    },
  });
  const id = await begin(b);
  const made: Made = { b, id, got, turn: go(b, id).then((response) => response.text()) };
  const first = await asked(made);
  expect(first).toMatchObject({ needs: "GET only", now: null });
  await say(made, first, "GET only");
  const second = await asked(made, first);
  expect(second).toMatchObject({ needs: "any method", now: "GET only" });
  // Another change to the dialog is no answer.
  await b.ask("PUT", "/dialog", { dialogId: id, network: [{ host: "b.example", allow: true }] });
  expect(askOf((await view(b, id)).activity)).toEqual(second);
  await say(made, second, "any method");
  await made.turn;
  expect(got).toEqual(["200", "200"]);
});

test("a command in the background can't ask: it says what to allow first", async () => {
  let late: Promise<unknown> | undefined;
  let goOn: () => void = () => undefined;
  const made = await run([], {
    async run(_command, _signal, { network }) {
      late = new Promise<void>((resolve) => (goOn = resolve)).then(() =>
        network?.(request("POST https://a.example/", post("x")), { signal: new AbortController().signal, waitsForHuman: () => undefined }),
      );
      return outcome("");
    },
  });
  await made.turn;
  goOn();
  expect(await late).toMatchObject({
    kind: "refused",
    why: expect.stringContaining('ask the user to allow "any method and uploads" for a.example first'),
  });
  expect(made.b.sent).toEqual([]);
});
