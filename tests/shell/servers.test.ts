import { describe, expect, test } from "vitest";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

const server = `const http = require("http");
const s = http.createServer((q, r) => {
  let body = "";
  q.on("data", (d) => (body += d)).on("end", () => {
    r.end(q.method + " " + q.url + " " + body + "\\n");
    if (q.url === "/quit") s.close();
  });
});
s.listen(3000, () => console.log("listens on 3000"));
`;

const waitFor = "until curl -s -o /dev/null localhost:3000 2>/dev/null; do sleep 0.02; done";

/** A project whose commands have no network, and the recorded requests. */
async function served() {
  const asked: string[] = [];
  const { sandbox, run } = await project({ createWorker: loopbackWorker, contents: { "server.js": server } });
  const network = async ({ url }: { readonly url: string }) => {
    asked.push(url);
    return { kind: "failed", why: "no server" } as const;
  };
  return { asked, sandbox, run: (command: string, session = "one") => run(command, { session, network }) };
}

describe("a server in the shell", () => {
  test("is reached by curl and node of the same command, and ends with it", async () => {
    const { asked, sandbox, run } = await served();
    const outcome = await run(
      `node server.js & ${waitFor}; curl -s localhost:3000/a; curl -s -d x=1 http://127.0.0.1:3000/b -w '%{http_code}\\n'; node -e 'fetch("http://localhost:3000/c").then((r) => r.text()).then((t) => process.stdout.write(t))'; curl -s localhost:3000/quit; wait`,
    );
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stdout).toBe("GET /a \nPOST /b x=1\n200\nGET /c \nGET /quit \nlistens on 3000\n");
    expect(asked).toEqual([]);
    expect((await run("curl -s localhost:3000/")).exitCode).toBe(7);
    expect(asked).toEqual(["http://localhost:3000/"]);
    sandbox.dispose();
  });

  test("that answers nothing, changes the protocol or leads to a port where nothing listens lets curl fail, and asks no one else", async () => {
    const { asked, sandbox, run } = await served();
    const answers = [
      "c.end()",
      "c.write('HTTP/1.1 101 Switching\\r\\n\\r\\n')",
      "c.write('HTTP/1.1 302 Found\\r\\nLocation: http://localhost:4000/\\r\\nContent-Length: 0\\r\\n\\r\\n')",
    ];
    for (const answer of answers) {
      const { stdout } = await run(
        `node -e "require('net').createServer((c) => { c.on('error', () => 0); c.once('data', () => ${answer}) }).listen(3000, () => require('http').createServer((q, r) => r.end()).listen(3001))" & until curl -s -o /dev/null localhost:3001; do sleep 0.02; done; curl -sL -o out.txt localhost:3000/; echo $?; kill %1`,
      );
      expect(Number(stdout.split("\n")[0]), `${answer}: ${stdout}`).toBeGreaterThan(0);
    }
    expect(asked).toEqual([]);
    sandbox.dispose();
  });

  test("may be slow, silent or compressed: curl prints what came by then", async () => {
    const { asked, sandbox, run } = await served();
    const answers = `const z = require("zlib"); require("http").createServer((q, r) => {
      if (q.url === "/events") { r.writeHead(200, { "Content-Type": "text/event-stream" }); r.write("data: 1\\n\\n"); }
      else if (q.url === "/part") { r.writeHead(200, { "Content-Length": 10 }); r.write("part", () => setTimeout(() => r.destroy(), 20)); }
      else if (q.url === "/gone") q.socket.destroy();
      else { const way = String(q.headers["accept-encoding"]); r.setHeader("X-Way", way); if (/gzip/.test(way)) { r.setHeader("Content-Encoding", "gzip"); r.end(z.gzipSync("packed")) } else r.end("plain") }
    }).listen(3000)`;
    const lines = ["-sN --max-time 2", "-sS", "-sS", "-s --compressed", "-s"];
    const paths = ["events", "part", "gone", "packed", "packed"];
    const { stdout, stderr } = await run(
      `node -e '${answers}' & ${waitFor}; ${lines.map((line, at) => `curl ${line} localhost:3000/${paths[at]}; echo " $?"`).join("; ")}; kill %1`,
    );
    expect(stdout).toBe("data: 1\n\n 28\npart 18\n 52\npacked 0\nplain 0\n");
    expect(stderr).toContain("curl: (18) transfer closed");
    expect(stderr).toContain("curl: (52) Empty reply from server");
    expect(asked).toEqual([]);
    sandbox.dispose();
  });

  test("is waited for by curl while its program starts, and a job that is none is not", async () => {
    const { asked, sandbox, run } = await served();
    const { stdout } = await run(
      "node server.js & curl -s localhost:3000/early; kill %1; wait; sleep 60 & curl -s localhost:4000; echo $?; kill %2",
    );
    expect(stdout).toContain("GET /early");
    expect(stdout.trimEnd().endsWith("7")).toBe(true);
    expect(asked).toEqual([]);
    sandbox.dispose();
  });

  test("is killed with its job, and its port is free again", async () => {
    const { sandbox, run } = await served();
    const { stdout } = await run(
      `node server.js & ${waitFor}; kill %1; wait; curl -s localhost:3000/; echo $?; node server.js & ${waitFor}; curl -s localhost:3000/x; kill %1; wait`,
    );
    expect(stdout).toBe("listens on 3000\n7\nGET /x \nlistens on 3000\n");
    sandbox.dispose();
  });

  test("sees what its own command changes, and in the background what others change, too", async () => {
    const { run, runAndKeep, sandbox } = await project({
      createWorker: loopbackWorker,
      contents: {
        "page.txt": "first",
        "reads.js": `require("http").createServer((q, r) => r.end(require("fs").readFileSync("page.txt", "utf8") + "\\n")).listen(3000);`,
      },
    });
    const job = await run(`node reads.js & ${waitFor}; curl -s localhost:3000; printf second > page.txt; curl -s localhost:3000; kill %1`);
    expect(job.stdout).toBe("first\nsecond\n");
    const stop = new AbortController();
    const background = sandbox.runInBackground?.("node reads.js", {
      id: "bg-1",
      session: "one",
      timeoutMs: 20_000,
      maxBytes: 10_000,
      signal: stop.signal,
      commitEveryMs: 1,
      commitChanges: async () => undefined,
    });
    expect((await runAndKeep(`${waitFor}; printf third > page.txt; cat page.txt`)).stdout).toBe("third");
    expect((await run("curl -s localhost:3000")).stdout).toBe("third\n");
    stop.abort();
    await background;
    sandbox.dispose();
  });

  test("that starts in the background is waited for without a question, and no longer once it listens", async () => {
    const { asked, sandbox, run } = await served();
    const stop = new AbortController();
    const background = sandbox.runInBackground?.("sleep 0.3; node server.js", {
      id: "bg-1",
      session: "one",
      timeoutMs: 20_000,
      maxBytes: 10_000,
      signal: stop.signal,
      commitEveryMs: 1_000,
      commitChanges: async () => undefined,
    });
    const early = await run("curl -s localhost:3000/a; echo $?");
    expect(early.stdout).toBe("7\n");
    expect(early.stderr).toContain("nothing listens on port 3000 of this dialog yet; a command in the background is starting");
    expect((await run(`${waitFor}; curl -s localhost:3000/b`)).stdout).toBe("GET /b \n");
    expect(asked).toEqual([]);
    await run("curl -s localhost:4000/");
    await run("curl -s localhost:3000/", "two");
    expect(asked).toEqual(["http://localhost:4000/", "http://localhost:3000/"]);
    stop.abort();
    await background;
    await run("curl -s localhost:3000/c");
    expect(asked.at(-1)).toBe("http://localhost:3000/c");
    sandbox.dispose();
  });

  test("in the background is reached by the dialog's other commands, and by no other dialog", async () => {
    const { asked, sandbox, run } = await served();
    const stop = new AbortController();
    const background = sandbox.runInBackground?.("node server.js", {
      id: "bg-1",
      session: "one",
      timeoutMs: 20_000,
      maxBytes: 10_000,
      signal: stop.signal,
      commitEveryMs: 1_000,
      commitChanges: async () => undefined,
    });
    expect((await run(`${waitFor}; curl -s localhost:3000/a`)).stdout).toBe("GET /a \n");
    // The server is listed, and the preview reaches it only through its own dialog.
    const { ports } = sandbox;
    expect(ports?.servers()).toMatchObject([{ session: "one", port: 3000, owner: { background: "bg-1", command: "node server.js" } }]);
    const request = { url: "http://localhost:3000/p", method: "POST", headers: [], body: null, program: "preview", follow: true };
    const signal = AbortSignal.timeout(60_000);
    const answer = await ports?.fetch("one", request, signal);
    expect(answer?.kind === "answer" && new TextDecoder().decode(answer.body)).toBe("POST /p \n");
    expect(await ports?.fetch("two", request, signal)).toBeNull();
    expect(await ports?.fetch("one", { ...request, url: "https://example.com/" }, signal)).toMatchObject({ kind: "failed" });
    expect((await run("node server.js")).stderr).toContain("EADDRINUSE: address already in use :::3000");
    asked.length = 0;
    expect((await run("curl -s localhost:3000/b", "two")).exitCode).toBe(7);
    // For another dialog this is a server on this device, which needs the user's consent.
    expect(asked).toEqual(["http://localhost:3000/b"]);
    stop.abort();
    await background;
    expect(ports?.servers()).toEqual([]);
    expect(await ports?.fetch("one", request, signal)).toBeNull();
    expect((await run("curl -s localhost:3000/c")).exitCode).toBe(7);
    sandbox.dispose();
  });
});
