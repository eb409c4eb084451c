import type { End, Failure, Wire, WireName, WireTurn } from "../stand-in/wire.ts";
import { type At, moments, type Outcome, whole } from "./moments.ts";

export interface Fault {
  readonly title: string;
  /** What the server sends and how it behaves then. */
  readonly turn: (at: At) => WireTurn;
  /** The outcomes at the five moments. */
  readonly outcomes: string;
  readonly wires?: readonly WireName[];
  /** What the user does, or what happens to the page, when everything has arrived. */
  readonly act?: "stop" | "reload";
}

const stream = "text/event-stream";
const sending = (raw: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): WireTurn => ({
  raw,
  contentType: stream,
  headers,
});
const cutBehind = (raw: string): WireTurn => ({ raw, contentType: stream, faults: { cutAfterBytes: Buffer.byteLength(raw) } });
const silentBehind = (raw: string): WireTurn => ({ raw, contentType: stream, faults: { stallAfterBytes: Buffer.byteLength(raw) } });
const half = ({ sent, next }: At) => sent + next.slice(0, next.length / 2);

/** The last events of a response, which say how it ended. */
const ending = (wire: Wire, end: End) => wire.events({ blocks: [], end }).filter((_event, index, all) => index >= lastOf(wire, all));
const lastOf = (wire: Wire, events: readonly string[]) => events.findIndex((event) => wire.tells("last", event));

const connection: readonly Fault[] = [
  {
    title: "the connection is cut between two events",
    turn: ({ at, sent }) => (at === "before" ? { hangUp: true } : cutBehind(sent)),
    outcomes: "again interrupted interrupted interrupted interrupted",
  },
  {
    title: "the connection is cut in the midst of an event",
    turn: (at) => cutBehind(half(at)),
    outcomes: "interrupted interrupted interrupted interrupted interrupted",
  },
  { title: "the connection is cut behind the headers", turn: () => cutBehind(""), outcomes: "interrupted - - - -" },
  {
    title: "the body ends between two events",
    turn: ({ sent }) => sending(sent),
    outcomes: "error interrupted interrupted interrupted interrupted",
  },
  {
    title: "the body ends in the midst of an event",
    turn: (at) => sending(half(at)),
    outcomes: "error interrupted interrupted interrupted interrupted",
  },
  {
    title: "nothing more comes",
    turn: ({ at, sent }) => (at === "before" ? { silence: true } : silentBehind(sent)),
    outcomes: "interrupted interrupted interrupted interrupted interrupted",
  },
  {
    title: "nothing more comes, in the midst of an event",
    turn: (at) => silentBehind(half(at)),
    outcomes: "interrupted interrupted interrupted interrupted interrupted",
  },
  {
    title: "a body that can't be inflated",
    turn: ({ sent, rest }) => sending(sent + rest, { "content-encoding": "gzip" }),
    outcomes: "interrupted - - - -",
  },
  {
    title: "a redirect",
    turn: () => ({ raw: "", status: 307, contentType: stream, headers: { location: "/elsewhere" } }),
    outcomes: "again - - - -",
  },
  {
    title: "the human stops it",
    turn: ({ at, sent }) => (at === "before" ? { silence: true } : silentBehind(sent)),
    outcomes: "aborted aborted aborted aborted aborted",
    act: "stop",
  },
  {
    title: "the page is closed",
    turn: ({ at, sent }) => (at === "before" ? { silence: true } : silentBehind(sent)),
    outcomes: "interrupted interrupted interrupted interrupted interrupted",
    act: "reload",
  },
];

/** An error that the server reports: as a status, or as an event if the answer has begun. */
function saying(failure: Failure, outcome: "again" | "error", way = 0): Fault {
  return {
    title: `the server says: ${failure}${way === 0 ? "" : ", in another way"}`,
    turn: ({ wire, at, sent }) => (at === "before" ? { failure } : sending(sent + (wire.failed(failure)[way] ?? ""))),
    outcomes: `${outcome} ${outcome} error error error`,
    ...(way === 0 ? {} : { wires: ["responses"] }),
  };
}

const passing: readonly Failure[] = ["overloaded", "rate-limit", "server", "timeout"];
const lasting: readonly Failure[] = ["billing", "too-big", "bad-key", "forbidden", "unknown-model", "bad-request"];
const words: readonly Fault[] = [0, 1].flatMap((way) => [
  ...passing.map((failure) => saying(failure, "again", way)),
  ...lasting.map((failure) => saying(failure, "error", way)),
]);

/** Something inserted between two events. */
function between(title: string, what: string | ((at: At) => string), outcomes: string, wires?: readonly WireName[]): Fault {
  const text = typeof what === "string" ? () => what : what;
  return { title, turn: (at) => sending(at.sent + text(at) + at.rest), outcomes, ...(wires ? { wires } : {}) };
}

const all = (outcome: Outcome) => moments.map(() => outcome).join(" ");
const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }] })}\n\n`;

const oddities: readonly Fault[] = [
  between("a comment", ": keep-alive\n\n", all("same")),
  between("a ping", 'event: ping\ndata: {"type":"ping"}\n\n', all("same"), ["messages"]),
  between("an event of an unknown kind", 'event: weather\ndata: {"type":"weather","sky":"clear"}\n\n', all("same")),
  between("an event without data", "event: weather\n\n", all("same")),
  between("null in place of an event", "data: null\n\n", all("same")),
  between("a number in place of an event", "data: 5\n\n", all("same")),
  between("a text in place of an event", 'data: "hello"\n\n', all("same")),
  between("a list in place of an event", "data: []\n\n", all("same")),
  between("lines that are no fields", "upstream connect error\n\n", all("same")),
  between("NUL and bytes of no character", "\0\0: \ufffd\n\n", all("same")),
  between("the first event again", ({ wire }) => wire.events(whole)[0] ?? "", all("same")),
  between(
    "JSON that is cut",
    ({ next }) => `${(/^event: .*\n/.exec(next)?.[0] ?? "") + (/^data: .*$/m.exec(next)?.[0] ?? "").slice(0, -9)}\n\n`,
    all("error"),
  ),
  {
    title: "a page of a server in between, and the end",
    turn: ({ sent }) => sending(`${sent}<!doctype html>\n<h1>502 Bad Gateway</h1>\n`),
    outcomes: "error interrupted interrupted interrupted interrupted",
  },
  { title: "a page in place of a stream", turn: () => ({ raw: "<!doctype html>", contentType: "text/html" }), outcomes: "error - - - -" },
  {
    title: "JSON in place of a stream",
    turn: () => ({ raw: '{"status":"ok"}', contentType: "application/json" }),
    outcomes: "error - - - -",
  },
];

/** Vibey treats an unknown error as a failure of the server that may pass, so it tries again. */
const errors: readonly Fault[] = (
  [
    ["an error that is a text", { error: "the model crashed" }, "again"],
    ["an error whose code is a number", { error: { message: "Provider returned error", code: 400 } }, "error"],
    [
      "a call that the server could not read",
      {
        error: {
          message: "Failed to call a function.",
          type: "invalid_request_error",
          code: "tool_use_failed",
          failed_generation: "<echo>",
        },
      },
      "error",
    ],
    ["an error that says nothing", { error: {} }, "again"],
  ] as const
).map(([title, error, first]) => ({
  title,
  turn: ({ at, sent }: At) =>
    at === "before"
      ? { raw: JSON.stringify(error), status: 400, contentType: "application/json" }
      : sending(`${sent}event: error\ndata: ${JSON.stringify(error)}\n\n`),
  outcomes: `error ${first} error error error`,
}));

/** The response says that it has ended, although its content isn't complete. */
function early(end: End, outcomes: string, wires: readonly WireName[]): Fault {
  return { title: `it ends there: ${end}`, turn: ({ wire, sent }) => sending(sent + ending(wire, end).join("")), outcomes, wires };
}

const endings: readonly Fault[] = [
  early("end", "error error short interrupted same", ["messages"]),
  early("calls", "error error short interrupted same", ["messages", "responses"]),
  early("calls", "error error short invalid same", ["chat"]),
  early("length", all("max_tokens"), ["messages", "chat", "responses"]),
  early("filtered", all("refusal"), ["messages", "chat", "responses"]),
  early("window", all("context_window"), ["messages", "responses"]),
  {
    title: "it pauses there",
    turn: ({ wire, sent }) => sending(sent + ending(wire, "end").join("").replace("end_turn", "pause_turn")),
    outcomes: all("interrupted"),
    wires: ["messages"],
  },
  {
    title: "[DONE] without a reason",
    turn: ({ sent }) => sending(`${sent}data: [DONE]\n\n`),
    outcomes: "error error short invalid same",
    wires: ["chat"],
  },
  {
    title: "the reason to stop is an error",
    turn: ({ sent }) => sending(sent + chunk({ finish_reason: "error" })),
    outcomes: "again again error error error",
    wires: ["chat"],
  },
];

/** Anything after the end is ignored. */
const behind: readonly Fault[] = (
  [
    ["a cut", (body: string) => cutBehind(body)],
    ["silence", (body: string) => silentBehind(body)],
    ["an error", (body: string, wire: Wire) => sending(body + (wire.failed("server")[0] ?? ""))],
    ["the same once more", (body: string) => sending(body + body)],
    ["a page", (body: string) => sending(`${body}<!doctype html>`)],
  ] as const
).map(([title, turn]) => ({
  title: `behind its end: ${title}`,
  turn: ({ wire, sent, rest }: At) => turn((sent + rest).replace("data: [DONE]\n\n", ""), wire),
  outcomes: "same - - - -",
}));

export const faults: readonly Fault[] = [...connection, ...words, ...oddities, ...errors, ...endings, ...behind];
