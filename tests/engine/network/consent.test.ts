import { describe, expect, test } from "vitest";
import type { LiveEvent, SessionDetail } from "../../../src/protocol/index.ts";
import { call, ended } from "../harness.ts";
import { answer, askedFor, askOf, begin, command, done, go, listen, request, view, wired, word } from "./commands.ts";

const a = "GET https://a.example/x";

/** The hosts that the dialog asked about, in order. */
function questionsIn(events: readonly LiveEvent[]): string[] {
  const hosts = events.map((event) =>
    event.type === "dialog" && event.data.activity?.kind === "running" ? (event.data.activity.ask?.host ?? null) : null,
  );
  return hosts.flatMap((host, at) => (host !== null && host !== hosts[at - 1] ? [host] : []));
}

describe("a host that nobody has said a word about", () => {
  test("is asked for as what it is, and reached once the human's word stands in the file", async () => {
    let fileWhenSent = "";
    const b = await wired([command("c1", a), done], {
      reply: async ({ url }) => {
        fileWhenSent = (await b.dialog()).markdown;
        return answer(url);
      },
    });
    const id = await begin(b);
    const events = await listen(b);
    const turn = await go(b, id);
    expect(await askedFor(b, id, "a.example")).toEqual({
      question: expect.stringMatching(/^[0-9a-f]{16}$/),
      host: "a.example",
      program: "curl",
      method: "GET",
      url: "https://a.example/x",
      needs: "GET only",
      now: null,
      body: null,
      address: 2,
      credentials: [],
      carries: [],
      files: [],
    });
    expect(b.sent).toEqual([]);
    const listing = await (await b.ask("GET", "/dialogs")).json();
    expect(listing).toMatchObject([
      { dialogId: id, status: "active", activity: { kind: "running", callId: "c1", ask: { host: "a.example" } } },
    ]);
    expect(questionsIn(events)).toEqual(["a.example"]);
    // A phone that doesn't follow the session sees the question as well.
    await b.ask("PUT", "/bridge", { key: "correct-horse-battery" });
    const session = await b.ask("GET", `/api/sessions/${id}`, undefined, { "x-psk": "correct-horse-battery" });
    const { pending_approval: pending, backlog } = (await session.json()) as SessionDetail;
    expect(backlog.at(-1)).toMatchObject({
      type: "waiting_approval",
      tool_call_id: pending[0],
      args: { host: "a.example", needs: "GET only" },
    });
    // The question is shown in the dialog and in the list, so a notice would repeat it.
    expect(events.filter(({ type }) => type === "notice")).toEqual([]);
    const said = await word(b, id, "a.example", true);
    expect([said.status, await said.json()]).toMatchObject([200, { ok: true, dialogId: id, status: "active" }]);
    await turn.text();
    expect(fileWhenSent).toContain("\n\n> Network: a.example any method\n");
    expect(b.answers.get(a)).toBe("200 https://a.example/x");
    expect(b.clock).toEqual(["waiting", "going"]);
    const after = await view(b, id);
    expect([after.network.hosts, after.status, after.activity]).toEqual([[{ host: "a.example", word: "any method" }], "done", null]);
    expect(b.reported).toEqual([]);
  });

  test("is asked for once, however many requests wait for it", async () => {
    const b = await wired([command("c1", a, "POST https://a.example/y", "GET https://A.EXAMPLE:443/z"), done]);
    const id = await begin(b);
    const events = await listen(b);
    const turn = await go(b, id);
    await askedFor(b, id, "a.example");
    await word(b, id, "a.example", true);
    await turn.text();
    expect(b.sent.map(({ url }) => url).toSorted()).toEqual(["https://a.example/x", "https://a.example/y", "https://a.example/z"]);
    expect(questionsIn(events)).toEqual(["a.example"]);
  });

  test("waits while another one is asked for; each answer counts for its own", async () => {
    const b = await wired([command("c1", a, "GET https://b.example/", "GET https://c.example/"), done]);
    const id = await begin(b);
    const turn = await go(b, id);
    await askedFor(b, id, "a.example");
    // The user decides before being asked.
    await word(b, id, "b.example", true);
    await expect.poll(() => b.answers.size + b.sent.length).toBe(1);
    await askedFor(b, id, "a.example");
    await word(b, id, "a.example", false);
    await askedFor(b, id, "c.example");
    await word(b, id, "c.example", true);
    await turn.text();
    expect(b.sent.map(({ url }) => url)).toEqual(["https://b.example/", "https://c.example/"]);
    expect(b.answers.get(a)).toMatch(/^refused: the user blocked a\.example/);
  });
});

test("a flood of hosts does not become a flood of questions", async () => {
  const lines = Array.from({ length: 23 }, (_, index) => `GET https://h${index}.example/`);
  const b = await wired([command("c1", ...lines)]);
  const id = await begin(b);
  const events = await listen(b);
  const turn = await go(b, id);
  await askedFor(b, id, "h0.example");
  expect(questionsIn(events)).toEqual(["h0.example"]);
  await b.ask("PUT", "/dialog", { dialogId: id, status: "waiting" });
  await turn.text();
  await expect.poll(() => b.answers.size).toBe(23);
  expect([...b.answers.values()].filter((text) => text.includes("20 other hosts are already waiting"))).toHaveLength(3);
});

describe("the human's word", () => {
  test("no: nothing is sent, then or later, and nobody is asked again", async () => {
    const b = await wired([command("c1", a), command("c2", a), done]);
    const id = await begin(b);
    const turn = await go(b, id);
    await askedFor(b, id, "a.example");
    await word(b, id, "a.example", false);
    await turn.text();
    const { markdown } = await b.dialog();
    expect(markdown).toContain("\n> Network refused: a.example\n");
    expect(markdown.match(/refused: the user blocked a\.example for this dialog. Don't try to reach it another way/g)).toHaveLength(2);
    expect([b.sent, b.clock]).toEqual([[], ["waiting", "going"]]);
  });

  test("given before anybody asks, taken back, given again", async () => {
    const b = await wired([command("c1", a), done, command("c2", a), done, command("c3", a), done]);
    const id = await begin(b);
    for (const allow of [true, false, true]) {
      expect((await word(b, id, "a.example", allow)).status).toBe(200);
      await (await go(b, id)).text();
    }
    expect([b.sent.length, b.clock]).toEqual([2, []]);
    expect((await b.dialog()).markdown.match(/^> Network.*$/gm)).toEqual([
      "> Network: a.example any method",
      "> Network refused: a.example",
      "> Network: a.example any method",
    ]);
  });

  test("holds for one port, not for another, and not for what is below the host", async () => {
    const b = await wired([command("c1", "GET https://a.example:8443/", a, "GET https://x.a.example/"), done]);
    const id = await begin(b);
    await b.ask("PUT", "/dialog", {
      dialogId: id,
      network: [
        { host: "a.example:8443", allow: true },
        { host: "a.example", allow: false },
        { host: "x.a.example", allow: false },
      ],
    });
    await (await go(b, id)).text();
    expect(b.sent.map(({ url }) => url)).toEqual(["https://a.example:8443/"]);
  });

  test("said while a response is written, it waits for the end of the section", async () => {
    const b = await wired([
      async function* () {
        yield { type: "text", text: "I will fetch." } as const;
        expect((await word(b, id, "a.example", true)).status).toBe(200);
        expect((await b.dialog()).markdown).not.toContain("> Network");
        yield call("c1", "run_command", { command: a });
        yield ended;
      },
      done,
    ]);
    const id = await begin(b);
    await (await go(b, id)).text();
    expect(b.answers.get(a)).toBe("200 https://a.example/x");
    expect((await b.dialog()).markdown).toMatch(/Result:\n\n.*\n\n---\n\n> Network: a\.example any method\n/);
  });

  test("taken back while a response is written, it counts at once", async () => {
    let background: Promise<unknown> | undefined;
    const b = await wired(
      [
        command("c1", a),
        async function* () {
          await word(b, id, "a.example", false);
          await word(b, id, "b.example", true);
          await b.ask("PUT", "/dialog", { dialogId: id, limits: { command: 99 } });
          expect(await view(b, id)).toMatchObject({ network: { allowed: ["b.example"], refused: ["a.example"] }, commandSeconds: 99 });
          goOn();
          expect(await background).toMatchObject([{ kind: "refused" }, { kind: "refused" }]);
          yield { type: "text", text: "Hello." } as const;
          yield ended;
        },
      ],
      {
        async run(_command, signal, { network }) {
          const late = { signal: new AbortController().signal, waitsForHuman: () => undefined };
          const both = [a, "GET https://b.example/"].map((line) =>
            new Promise<void>((resolve) => waiting.push(resolve)).then(() => network?.(request(line), late)),
          );
          background = Promise.all(both);
          return { stdout: "", stderr: "", exitCode: 0, limit: null, aborted: signal.aborted, ms: 1, changes: [] };
        },
      },
    );
    const waiting: (() => void)[] = [];
    const goOn = () => waiting.forEach((each) => each());
    const id = await begin(b);
    await word(b, id, "a.example", true);
    await (await go(b, id)).text();
    expect([b.sent, b.reported]).toEqual([[], []]);
    expect((await view(b, id)).network).toMatchObject({ allowed: ["b.example"], refused: ["a.example"] });
  });

  test("holds in its own dialog alone", async () => {
    const b = await wired([command("c1", a), done, command("c2", a), done]);
    const one = await begin(b, "one");
    const other = await begin(b, "other");
    await word(b, one, "a.example", true);
    await (await go(b, one)).text();
    const turn = await go(b, other);
    await askedFor(b, other, "a.example");
    expect(b.sent).toHaveLength(1);
    await word(b, other, "a.example", false);
    await turn.text();
    expect(b.sent).toHaveLength(1);
  });

  test("does not go over to a dialog that goes on from it", async () => {
    const b = await wired([done, done]);
    const id = await begin(b);
    await b.ask("PUT", "/dialog", { dialogId: id, network: [{ host: "a.example", allow: true }], limits: { command: 90 } });
    await (await go(b, id)).text();
    await (await b.ask("POST", `/dialog/${id}/continue`, {})).text();
    const listing = (await (await b.ask("GET", "/dialogs")).json()) as { dialogId: string }[];
    const fresh = await view(b, listing.find(({ dialogId }) => dialogId !== id)?.dialogId ?? "");
    expect([fresh.network, fresh.commandSeconds]).toEqual([{ allowed: [], refused: [], hosts: [] }, 30]);
  });
});

describe("while the human is asked", () => {
  test("a stop ends the waiting, and nothing is sent", async () => {
    const b = await wired([command("c1", a, "GET https://b.example/")]);
    const id = await begin(b);
    const turn = await go(b, id);
    await askedFor(b, id, "a.example");
    expect((await b.ask("PUT", "/dialog", { dialogId: id, status: "waiting" })).status).toBe(200);
    await turn.text();
    await expect.poll(() => b.answers.get(a)).toMatch(/the command was stopped before the user answered/);
    expect([b.sent, askOf((await view(b, id)).activity)]).toEqual([[], null]);
    // Nothing is waiting for this answer.
    await word(b, id, "a.example", true);
    expect([b.sent, b.reported]).toEqual([[], []]);
  });

  test("one request that gives up leaves the others waiting; the last one takes the question away", async () => {
    const first = new AbortController();
    const second = new AbortController();
    const kinds: string[] = [];
    const b = await wired([command("c1", a), done], {
      async run(_command, _signal, { network }) {
        const ask = (line: string, { signal }: AbortController) => network?.(request(line), { signal, waitsForHuman: () => undefined });
        const one = ask(a, first)?.then((got) => kinds.push(`one ${got.kind}`));
        const two = ask(a, second)?.then((got) => kinds.push(`two ${got.kind}`));
        await Promise.all([one, two]);
        return { stdout: "", stderr: "", exitCode: 0, limit: null, aborted: false, ms: 1, changes: [] };
      },
    });
    const id = await begin(b);
    const events = await listen(b);
    const turn = await go(b, id);
    await askedFor(b, id, "a.example");
    first.abort();
    await expect.poll(() => kinds).toEqual(["one refused"]);
    await askedFor(b, id, "a.example");
    second.abort();
    await turn.text();
    const asks = events.flatMap((event) =>
      event.type === "dialog" && event.data.activity?.kind === "running" ? [event.data.activity.ask?.host ?? null] : [],
    );
    expect([kinds, asks]).toEqual([
      ["one refused", "two refused"],
      [null, "a.example", null],
    ]);
  });

  test("the page is closed: the command may or may not have run, and the word can be said all the same", async () => {
    const b = await wired([command("c1", a)]);
    const id = await begin(b);
    await go(b, id);
    await askedFor(b, id, "a.example");
    const later = await b.reload();
    expect(await view(later, id)).toMatchObject({ status: "waiting", activity: null });
    expect((await word(later, id, "a.example", true)).status).toBe(200);
    expect((await view(later, id)).network.allowed).toEqual(["a.example"]);
    expect(b.sent).toEqual([]);
  });
});

test("after a reload the word still holds", async () => {
  const b = await wired([]);
  const id = await begin(b);
  await word(b, id, "a.example", true);
  await word(b, id, "b.example", false);
  const later = await wired([command("c1", a, "GET https://b.example/"), done], { store: b.store });
  await (await go(later, id)).text();
  expect(later.sent.map(({ url }) => url)).toEqual(["https://a.example/x"]);
  expect(later.answers.get("GET https://b.example/")).toMatch(/the user blocked b\.example/);
});

test("a command that the dialog is not busy with any more can't ask", async () => {
  let late: Promise<unknown> | undefined;
  let goOn: () => void = () => undefined;
  const b = await wired([command("c1", a), done], {
    async run(_command, _signal, { network }) {
      late = new Promise<void>((resolve) => (goOn = resolve)).then(() =>
        network?.(request(a), { signal: new AbortController().signal, waitsForHuman: () => undefined }),
      );
      return { stdout: "", stderr: "", exitCode: 0, limit: null, aborted: false, ms: 1, changes: [] };
    },
  });
  const id = await begin(b);
  await (await go(b, id)).text();
  goOn();
  expect(await late).toMatchObject({ kind: "refused", why: expect.stringMatching(/only be asked while a command runs in the foreground/) });
});

test("a provider's host is closed from the moment on in which it becomes one", async () => {
  const b = await wired([command("c1", a), done]);
  const id = await begin(b);
  await word(b, id, "a.example", true);
  await b.ask("PUT", "/provider/claude", { baseURL: "https://a.example/v1" });
  await (await go(b, id)).text();
  // The host became a provider's host, so no decision of the user opens it.
  expect(b.answers.get(a)).toBe("refused: a.example is a provider's host, which commands can't connect to");
  expect(b.sent).toEqual([]);
});
