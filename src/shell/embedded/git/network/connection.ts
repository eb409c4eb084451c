import type { NetAnswer } from "../../../network.ts";
import type { Repository } from "../repository.ts";
import type { Run } from "../run.ts";
import { fatal } from "../stop.ts";
import type { ConfigEntry } from "../store/config.ts";
import { noOid, type Oid } from "../store/model.ts";
import { decode } from "../text/bytes.ts";
import { readPktLines } from "./pkt-line.ts";
import { remoteUrl, shownUrl } from "./url.ts";

export type Service = "git-upload-pack" | "git-receive-pack";

/** A connection to a remote repository over git's smart HTTP (version 0 of its protocol). */
export interface Connection {
  /** The remote's refs, by "HEAD" or full name, in the server's order. */
  readonly refs: ReadonlyMap<string, Oid>;
  /** The commits that annotated tags point at, by the tag's full name. */
  readonly peeled: ReadonlyMap<string, Oid>;
  /** The full name of HEAD's branch; null if the server does not tell. */
  readonly head: string | null;
  readonly capabilities: ReadonlySet<string>;
  send(body: Uint8Array): Promise<Uint8Array>;
  /** The repository itself if it is in a folder: its objects are copied. */
  readonly local?: Repository;
}

export async function connect(run: Run, typed: string, config: readonly ConfigEntry[], service: Service): Promise<Connection> {
  const { url, headers } = remoteUrl(typed, config);
  const shown = `${shownUrl(typed).replace(/\/+$/, "")}/`;
  const { host } = run.shell;
  host.show({ stream: "progress", text: `git: asking ${new URL(url).host}` });
  const asked = await host.fetch({
    url: `${url}/info/refs?service=${service}`,
    method: "GET",
    headers,
    body: null,
    program: "git",
    follow: true,
  });
  const answer = accepted(asked, shown, headers.length > 0);
  const type = answer.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (type !== `application/x-${service}-advertisement`) fatal(`${shown}info/refs not valid: is this a git repository?`);
  // The repository may have moved. Data goes to its new address, and credentials only to the host that they are for.
  const base = answer.url.replace(/\/info\/refs\?service=[\w-]+$/, "");
  if (base !== url) run.err(`warning: redirecting to ${base}/\n`);
  const sendsHeaders = new URL(base).origin === new URL(url).origin;
  return {
    ...advertisement(answer.body, service),
    async send(body) {
      const sent = await host.fetch({
        url: `${base}/${service}`,
        method: "POST",
        headers: [
          ...(sendsHeaders ? headers : []),
          ["Content-Type", `application/x-${service}-request`],
          ["Accept", `application/x-${service}-result`],
        ],
        body,
        program: "git",
        follow: false,
      });
      return accepted(sent, shown, headers.length > 0).body;
    },
  };
}

type Answered = Extract<NetAnswer, { readonly kind: "answer" }>;

function accepted(answer: NetAnswer, shown: string, withCredentials: boolean): Answered {
  if (answer.kind === "refused") return fatal(`unable to access '${shown}': not allowed: ${answer.why}`);
  if (answer.kind === "failed") return fatal(`unable to access '${shown}': ${answer.why}${corsHint(shown)}`);
  if (answer.status === 401)
    return fatal(
      `Authentication failed for '${shown}'${withCredentials ? "" : "\nhint: There is no one to ask for a password here. Ask the user for a token, and pass it with\nhint: git -c http.extraHeader='Authorization: Bearer <token>' ..."}`,
    );
  if (answer.status === 404) return fatal(`repository '${shown}' not found`);
  if (answer.status !== 200) return fatal(`unable to access '${shown}': The requested URL returned error: ${answer.status}`);
  return answer;
}

function corsHint(shown: string): string {
  const { host, pathname } = new URL(shown);
  const lines = [
    "This git runs in a browser, which reaches only hosts that allow pages to read their answers (CORS).",
    ...(host === "github.com"
      ? [
          "github.com does not allow that for git. Its files can be had one by one instead:",
          `  curl https://raw.githubusercontent.com/${pathname.replace(/^\/|(?:\.git)?\/$/g, "")}/<branch>/<path>`,
          `  curl https://api.github.com/repos/${pathname.replace(/^\/|(?:\.git)?\/$/g, "")}/git/trees/<branch>?recursive=1`,
        ]
      : ["If the host doesn't, the user can bring the repository into the project, or use a host that does."]),
  ];
  return `\n${lines.map((line) => `hint: ${line}`).join("\n")}`;
}

function advertisement(bytes: Uint8Array, service: Service): Omit<Connection, "send"> {
  const reader = readPktLines(bytes);
  if (reader.text() !== `# service=${service}` || reader.next() !== null) fatal("protocol error: no announcement of the service");
  const refs = new Map<string, Oid>();
  const peeled = new Map<string, Oid>();
  const capabilities = new Set<string>();
  let head: string | null = null;
  for (let line = reader.next(); line !== null && line !== undefined; line = reader.next()) {
    const [text = "", extra] = decode(line).replace(/\n$/, "").split("\0");
    if (text.startsWith("ERR ")) fatal(`remote error: ${text.slice(4)}`);
    for (const capability of extra?.split(" ") ?? []) {
      capabilities.add(capability.replace(/=.*$/, ""));
      head ??= /^symref=HEAD:(.+)$/.exec(capability)?.[1] ?? null;
    }
    const [, oid = "", name = ""] = /^([0-9a-f]{40}) (.+)$/.exec(text) ?? [];
    if (oid === "") {
      if (text.startsWith("shallow ")) continue;
      fatal("protocol error: what the server has can't be read");
    }
    if (name.endsWith("^{}")) {
      if (oid !== noOid) peeled.set(name.slice(0, -3), oid);
    } else refs.set(name, oid);
  }
  return { refs, peeled, head, capabilities };
}

/** Whether a server's name for a ref can be a file here, and nothing but a ref. */
export function isSafeRef(name: string): boolean {
  return (
    name.startsWith("refs/") &&
    // oxlint-disable-next-line no-control-regex -- git forbids them in names.
    !/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/$|\.$/.test(name) &&
    name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"))
  );
}
