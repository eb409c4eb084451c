import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NetAnswer, NetRequest } from "../../../src/shell/network.ts";
import { standInFetch } from "../net/server.ts";
import { type GitServer, prepare, serveGit } from "./http-server.ts";
import { hasGit, ourMachine } from "./machine.ts";

const answering =
  (answer: Partial<Extract<NetAnswer, { kind: "answer" }>> & { readonly status: number }) =>
  async ({ url }: NetRequest): Promise<NetAnswer> => ({
    kind: "answer",
    url,
    statusText: "",
    headers: [],
    body: new Uint8Array(),
    ...answer,
  });

const advertisement: readonly (readonly [string, string])[] = [["content-type", "application/x-git-upload-pack-advertisement"]];
const text = (content: string): Uint8Array => new TextEncoder().encode(content);

describe("what a host answers instead of a repository", () => {
  test.for<readonly [string, (request: NetRequest) => Promise<NetAnswer>, string]>([
    ["no login", answering({ status: 401 }), "fatal: Authentication failed for 'https://example.org/a.git/'\nhint: There is no one to ask"],
    ["nothing there", answering({ status: 404 }), "fatal: repository 'https://example.org/a.git/' not found\n"],
    [
      "an error",
      answering({ status: 500 }),
      "fatal: unable to access 'https://example.org/a.git/': The requested URL returned error: 500\n",
    ],
    ["a page", answering({ status: 200, body: text("<html>") }), "info/refs not valid: is this a git repository?\n"],
    [
      "half a line",
      answering({ status: 200, headers: advertisement, body: text("001e# service=git-up") }),
      "fatal: protocol error: bad line length\n",
    ],
    [
      "no CORS",
      async () => ({ kind: "failed", why: "no way" }),
      "fatal: unable to access 'https://example.org/a.git/': no way\nhint: This git runs in a browser",
    ],
    ["a refusal", async () => ({ kind: "refused", why: "the human said no" }), "': not allowed: the human said no\n"],
  ])("%s: nothing is left of the clone", async ([, fetch, stderr]) => {
    const machine = ourMachine({ fetch });
    const done = await machine.run("git clone https://example.org/a.git");
    expect(done).toMatchObject({ stdout: "", exitCode: 128 });
    expect(done.stderr).toContain(stderr);
    expect(await machine.files()).toEqual(new Map());
  });

  test("a ref that would leave its folder is not taken", async () => {
    const oid = "1".repeat(40);
    const line = (content: string): string => `${(content.length + 4).toString(16).padStart(4, "0")}${content}`;
    const body = text(`${line("# service=git-upload-pack\n")}0000${line(`${oid} refs/heads/../../../evil\0side-band-64k\n`)}0000`);
    const machine = ourMachine({ fetch: answering({ status: 200, headers: advertisement, body }) });
    await machine.run("git init -q; git fetch https://example.org/a.git '+refs/heads/*:refs/heads/*'");
    expect([...(await machine.files()).keys()].filter((path) => path.includes("evil"))).toEqual([]);
  });
});

describe("addresses", () => {
  test.for([
    ["git@github.com:a/b.git", "use the repository's https:// address, such as https://github.com/a/b.git"],
    ["ssh://git@example.org:22/a/b.git", "such as https://example.org/a/b.git"],
    ["git://example.org/a.git", "Vibey's git has no git:"],
    ["file:///project/x", "Vibey's git has no file:"],
    ["../x", "repository '../x' does not exist"],
  ])("%s is refused", async ([address = "", why]) => {
    const done = await ourMachine().run(`git clone ${address}`);
    expect(done).toMatchObject({ stdout: "", exitCode: 128, stderr: expect.stringContaining(why ?? "") });
  });

  test("GitHub: where its files can be had instead", async () => {
    const machine = ourMachine({ fetch: async () => ({ kind: "failed", why: "no way" }) });
    expect((await machine.run("git clone https://github.com/a/b.git")).stderr).toContain(
      "curl https://raw.githubusercontent.com/a/b/<branch>/<path>",
    );
  });

  test("credentials go with the request, and are not shown", async () => {
    const asked: NetRequest[] = [];
    const machine = ourMachine({
      fetch: async (request) => {
        asked.push(request);
        return { kind: "answer", url: request.url, status: 401, statusText: "", headers: [], body: new Uint8Array() };
      },
    });
    const done = await machine.run(
      "git clone https://me:secret@example.org/a.git; git -c http.extraHeader='Authorization: Bearer t' ls-remote https://example.org/b; git -c http.https://other.org/.extraHeader='X: y' ls-remote https://example.org/c",
    );
    expect(done.stderr).not.toContain("secret");
    expect(asked.map(({ url, headers, program }) => [url, headers, program])).toEqual([
      ["https://example.org/a.git/info/refs?service=git-upload-pack", [["Authorization", `Basic ${btoa("me:secret")}`]], "git"],
      ["https://example.org/b/info/refs?service=git-upload-pack", [["Authorization", "Bearer t"]], "git"],
      ["https://example.org/c/info/refs?service=git-upload-pack", [], "git"],
    ]);
  });
});

describe.skipIf(!hasGit)("with a browser's means (skipped where git is not installed)", () => {
  let server: GitServer;
  beforeAll(async () => {
    server = await serveGit();
    prepare(
      server.folder,
      "git init -q -b main w; cd w; seq 1 400 > n; git add .; git commit -qm one; for i in 1 2 3; do sed -i s/^2$i/x$i/ n; git commit -qam $i; done; mkdir -p ../real/private; git clone -q --bare . ../real/private/r.git; git -C ../real/private/r.git gc -q; git -C ../real/private/r.git config http.receivepack true",
    );
  });
  afterAll(() => server?.close());

  test("a clone with a password, a push and what is there afterwards", async () => {
    const machine = ourMachine({ env: { U: server.url.replace("//", "//me:token@") }, fetch: standInFetch });
    const done = await machine.run(
      "git clone -q $U/private/r.git && cd r && git log --format=%s && wc -l < n && git fsck 2>/dev/null; git status -sb && echo more >> n && git commit -qam more && git push -q && git fetch && git status -sb",
    );
    expect(done).toMatchObject({ stdout: "3\n2\n1\none\n400\n## main...origin/main\n## main...origin/main\n", stderr: "", exitCode: 0 });
  });
});
