import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve, type TestServer } from "../net/server.ts";

/** Bare repositories behind git's own HTTP server, on this machine. */
export interface GitServer extends TestServer {
  /** The folder of the repositories. */
  readonly folder: string;
}

const needsLogin = /^\/private\b/;

export async function serveGit(): Promise<GitServer> {
  const folder = mkdtempSync(join(tmpdir(), "vibey-remote-"));
  const server = await serve((request, body, response) => {
    const url = new URL(request.url ?? "/", "http://here");
    if (needsLogin.test(url.pathname) && request.headers.authorization !== `Basic ${Buffer.from("me:token").toString("base64")}`) {
      response.writeHead(401, { "WWW-Authenticate": "Basic" });
      response.end();
      return;
    }
    const child = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env["PATH"] ?? "",
        // At the same address, each side has its own repositories.
        GIT_PROJECT_ROOT: join(folder, request.headers["x-side"] === "ours" ? "ours" : "real"),
        GIT_HTTP_EXPORT_ALL: "1",
        GIT_CONFIG_NOSYSTEM: "1",
        HOME: folder,
        REMOTE_USER: "tester",
        REQUEST_METHOD: request.method ?? "GET",
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        CONTENT_LENGTH: String(body.length),
        ...(request.headers["content-encoding"] === undefined ? {} : { HTTP_CONTENT_ENCODING: request.headers["content-encoding"] }),
        ...(request.headers["git-protocol"] === undefined ? {} : { GIT_PROTOCOL: String(request.headers["git-protocol"]) }),
      },
    });
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    // git exits without reading input that it doesn't need.
    child.stdin.on("error", () => undefined);
    child.stdin.end(body);
    child.on("close", () => {
      const all = Buffer.concat(parts);
      const end = all.indexOf("\r\n\r\n");
      const headers = all.subarray(0, end).toString("latin1").split("\r\n");
      let status = 200;
      for (const line of headers) {
        const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
        if (name === "Status") status = Number.parseInt(value, 10);
        else if (name !== "") response.setHeader(name, value);
      }
      response.writeHead(status);
      response.end(all.subarray(end + 4));
    });
  });
  return {
    ...server,
    folder,
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a script with the real git, at fixed times, in the server's folder. */
export function prepare(folder: string, script: string): void {
  execFileSync("bash", ["-ec", script], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Bob",
      GIT_AUTHOR_EMAIL: "bob@example.org",
      GIT_COMMITTER_NAME: "Bob",
      GIT_COMMITTER_EMAIL: "bob@example.org",
      GIT_AUTHOR_DATE: "1690000000 +0000",
      GIT_COMMITTER_DATE: "1690000000 +0000",
    },
    stdio: "pipe",
  });
}
