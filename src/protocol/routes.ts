/**
 * Every call that the engine answers. The router, the paths that the page's `fetch` passes to the engine (`own-segments.ts`) and `docs/api.md` are
 * made from this table. The comment above a call says what it takes and, after the arrow, what it answers. Bodies and answers are JSON of the
 * shapes in this folder; errors are `ErrorAnswer`s. Paths are under the app's base; `{.+}` takes slashes too.
 *
 * The value says which part of the engine answers: `first` is loaded with the engine, the others with the first call of theirs. `copy` and `recovery` also
 * answer when the project's storage is lost, and then nothing else does.
 */
export const routes = {
  /** → `string[]`: names in `vibey/`, newest first */
  "GET /files": "first",
  /** → `FileAnswer` with an `ETag`; 404, 400 `ErrorAnswer` */
  "GET /file/:name{.+}": "first",
  /**
   * `{content}` → `{ok: true, name}` with an `ETag`; 412 when `If-Match` names another version, or when `If-None-Match: *` meets a file; 409 on an
   * active dialog
   */
  "POST /file/:name{.+}": "first",
  /** → `{ok: true}`; 404; 409 on an active dialog, and on the first dialog of a run in which others are active */
  "DELETE /file/:name{.+}": "first",
  /**
   * `?facts=1` → `DialogListing[]`, newest first; with `facts=1` the newest ones are looked into for their `DialogFacts`, with
   * `facts=all` every one
   */
  "GET /dialogs": "agents",
  /** `{status: "waiting"}` → `StopAllAnswer`: every dialog that is active, or waits for its turn, is stopped */
  "PUT /dialogs": "agents",
  /** → `LimitsAnswer` */
  "GET /limits": "agents",
  /** → `UserAnswer` */
  "GET /user": "agents",
  /** `{name}` → `UserAnswer`: agents call the user so, on this device; "": "Owner" */
  "PUT /user": "agents",
  /** → `PricesAnswer` */
  "GET /prices": "agents",
  /** `PricesBody` → `PricesAnswer`: these are the user's prices from now on; 400 names the row and what is wrong with it */
  "PUT /prices": "agents",
  /** `?days=` → SSE of `CostFrame`: what the dialogs of the project cost in so many days, today the last of them, or ever */
  "GET /cost": "agents",
  /** `NewDialogBody` → `{dialogId, filename, provider, model, status}` */
  "POST /dialog/new": "agents",
  /** `NewDialogBody & {prompt}` → SSE of `Frame` */
  "POST /dialog": "agents",
  /** `PutDialogBody` → SSE of `Frame` when a provider request may follow, else `StatusAnswer` */
  "PUT /dialog": "agents",
  /** → `DialogAnswer` */
  "GET /dialog/:id": "agents",
  /** → `AsksAnswer` */
  "GET /dialog/:id/asks": "agents",
  /** `{prompt?}` → SSE of `Frame`: a new dialog that begins with a summary of this one, which stays whole */
  "POST /dialog/:id/continue": "agents",
  /**
   * `ForkBody` → a new dialog with the messages of this one up to `message`; this one stays whole. With a prompt SSE of `Frame`, else
   * `StatusAnswer`; 400 when there is no such message; 409 while it is being written
   */
  "POST /dialog/:id/fork": "agents",
  /** → `StatusAnswer`: a summary of this fork is asked for, and answered in it; 409 when it is none */
  "POST /dialog/:id/resolve": "agents",
  /** → `StatusAnswer`: the summary goes to the dialog that was forked, and the fork is done; 409 when there is none, or that dialog's agent works */
  "PUT /dialog/:id/resolve": "agents",
  /** → SSE of `StreamFrame`: markdown; with `?view=parsed` SSE of `ViewFrame` */
  "GET /dialog/:id/stream": "agents",
  /**
   * - → SSE of `LiveFrame`
   * - `?since=` → SSE of `LogFrame`: the events of the log after that cursor, then each as it happens, and live events between them; `since=`
   *   without one: from the first on
   */
  "GET /events": "first",
  /**
   * `?dialog=&type=&tool=&severity=&by=&before=&limit=` → `LogAnswer`, newest first; `type`: one or more, with commas; `by`: `human`, `agent`
   * or `vibey`; `before`: a cursor. While the log is built again, live events tell `?progress=<id>` how far it is. 410 `ErrorAnswer` when the log was built again since the cursor was given
   */
  "GET /log": "log",
  /** The same filters → the events as a JSON list to download, oldest first */
  "GET /log.json": "log",
  /**
   * - `?scope=docs` or `dialogs` or `all`, `&form=safe` or `as-it-is` → the zip; without `form` the safe one, and with `&packages=0` without
   *   installed packages. `progress=<id>`, here and below: live events say how far it is
   * - `?scope=&look=1` → `OutgoingAnswer`
   */
  "GET /project.zip": "first",
  /**
   * - a zip → `ZipContents`: what is in it and what taking it would do; 400 `ZipRefusedAnswer`
   * - `?into=new&accept=&history=&name=` a zip → `ZipTaken`: it is a project of its own now. `accept=1`: its authority lines count;
   *   `history=0`: without its history
   * - `?into=here&conflicts=mine` or `theirs` or `both`, `&accept=&seen=`, a zip → `ZipTaken`: its files are in this project; 409 when
   *   the conflicts are not those that were `seen`
   */
  "POST /project.zip": "first",
  /** → `DeedListing[]` */
  "GET /deed": "first",
  /** → the bytes, with an `ETag` */
  "GET /deed/:path{.+}": "first",
  /** bytes → `{ok: true}` with an `ETag`; 412 as for a file */
  "PUT /deed/:path{.+}": "first",
  /** → `{ok: true}` */
  "DELETE /deed/:path{.+}": "first",
  /** → `SandboxAnswer` */
  "GET /sandbox": "agents",
  /** `SandboxBody` → `SandboxAnswer`: the project's commands run there from the next one on */
  "PUT /sandbox": "agents",
  /** `NodeEngineBody` → `SandboxAnswer`: programs of `node` in Vibey's own shell run on it from the next one on */
  "PUT /sandbox/node": "agents",
  /** → `SandboxAnswer`: the WebContainer is started now, again if it could not be before; the answer does not wait for it */
  "POST /sandbox/start": "agents",
  /** `?dialog=`: whose, where it listens in Vibey's own shell → `SandboxAnswer`; 404: nothing listens there; 409: it is not known what to stop */
  "POST /sandbox/servers/:port/stop": "agents",
  /**
   * One line of JSON, a `ServerRequest`, then the body → one line of JSON, a `ServerResponse`, then the body: what a server of a dialog in
   * Vibey's own shell answers; 404: nothing listens there; 502: it gave no answer that could be read
   */
  "POST /sandbox/servers/:port/request": "agents",
  /**
   * `{from, to, copy?}` → `{ok: true, path}` with an `ETag`: a doc or a file of the deed has another name, or a second one like it is
   * there; both as paths of the project (`vibey/doc-a.md`). 409 when `to` is there already; 403 for doc-main.md, for dialogs, and
   * for a doc with lines of authority that would be doc-main.md, or any that would be an agent's
   */
  "POST /move": "move",
  /** → `{name, content}[]`: the docs of the demo */
  "GET /demo": "demo",
  /** → `{ok: true}`: they are in the project, which had no files; 409 when it has others */
  "POST /demo": "demo",
  /** `?q=` → SSE of `SearchFrame`: files whose text holds the words, in whatever case; docs first, then dialogs, then the deed */
  "GET /search": "search",
  /**
   * `?path=&dialog=&by=&since=&before=&limit=` → `HistoryAnswer`, newest first; `path`: a file or a folder; `dialog`: commits of its
   * turns; `by`: those of `human`, `agent` or `vibey`; `since`: a time in ISO 8601; `before`: the id of a commit
   */
  "GET /history": "history",
  /** → `HistoryCommitAnswer`; 404 */
  "GET /history/:id": "history",
  /** → `HistoryDiffAnswer`; 404 */
  "GET /history/:id/diff/:path{.+}": "history",
  /** → the bytes of the file as this commit left it; 404 */
  "GET /history/:id/file/:path{.+}": "history",
  /** → `HistoryFilesAnswer`: the paths of all files as this commit left them; 404 */
  "GET /history/:id/files": "history",
  /** → `RestorePreview`: what a restore of everything would change now; 404 */
  "GET /history/:id/restore": "history",
  /** `{id, path?}` → `RestoreAnswer`: the file, or all of the deed and the docs, as this commit left it */
  "POST /history/restore": "history",
  /** `{id, path?}` → `RestoreAnswer`: what this commit changed reads again as before it */
  "POST /history/undo": "history",
  /** → `AgentView[]`: the agents that files describe, those in `vibey/` first */
  "GET /agents": "definitions",
  /** `NewAgentBody` → 201 `AgentWritten` with an `ETag`; 400 for a bad slug, 409 when there is one of yours already */
  "POST /agents": "definitions",
  /** → `BuiltInAgent[]`: the agents that come with Vibey; a file `vibey/agent-<slug>.md` takes the place of one */
  "GET /agents/built-in": "definitions",
  /** → `AgentAnswer` with an `ETag`; 404 */
  "GET /agents/profile/:slug": "definitions",
  /** `AgentBody` → `AgentWritten` with an `ETag`; 412 when `If-Match` names another version, or with `If-None-Match: *`; 403 for a found agent; 404 */
  "PUT /agents/profile/:slug": "definitions",
  /** → `ToolPermissionRow[]`: what the agent may do, each tool with what says so; 404 */
  "GET /agents/profile/:slug/powers": "definitions",
  /** `?before=` → `AgentVersions`: the versions of one of yours in the history, newest first, also of one that was deleted; `before`: a commit */
  "GET /agents/profile/:slug/versions": "definitions",
  /** → `{ok: true}`; 403 for a found agent; 404 */
  "DELETE /agents/profile/:slug": "definitions",
  /**
   * `AdoptBody` → 201 `AgentWritten`: a copy of another program's agent in `vibey/`; 200 when it replaces one of yours; 404; 409 when there is one of
   * that slug; 412 when a file reads otherwise now
   */
  "POST /agents/adopt": "definitions",
  /**
   * `{files: [{path, text}]}`, or a zip → `AgentImport`: agents of other programs come in as found ones, what belongs to them as docs. Nothing is
   * written over
   */
  "POST /agents/import": "definitions",
  /** `?dialog=` → `AgentTask[]`: what messages of that dialog asked agents for, oldest first; 404 */
  "GET /agents/tasks": "agents",
  /** → `SchedulesAnswer`: the lines of main that start agents, with the last and the next time of each */
  "GET /agents/schedules": "agents",
  /** `ScheduleBody` → `SchedulesAnswer`: main has the line, or hasn't it any more; 400 names what is wrong with it, 409 when it is there, 412 when main reads otherwise */
  "PUT /agents/schedules": "agents",
  /** → `LevelsAnswer`: what agents do without asking as main says it, and the lines that each level would change */
  "GET /agents/levels": "definitions",
  /** `{level, etag}` → `LevelsAnswer`: main has the lines of that level now; 412 when it reads otherwise than `etag` */
  "PUT /agents/levels": "definitions",
  /** `?run=` → `GraphAnswer`: the agents below that dialog, and the files that they read and wrote; without `run` those of the project. 404 */
  "GET /agents/graph": "log",
  /**
   * `?run=&agent=&type=&tool=&severity=` → what agents did, in the ten types of `RunLogType`; `run`: the root's dialog; `agent`: a file, or a
   * dialog; `type`: one or more, with commas
   * - `&before=&since=&limit=` → `RunLogAnswer`, newest first; 410 when a cursor holds no longer
   * - `&since=` with `Accept: text/event-stream` → SSE of `RunLogFrame`: each after that cursor, then each as it happens
   */
  "GET /agents/log": "log",
  /** The same filters → the entries as a JSON list to download, oldest first: `RunLogEntry[]` */
  "GET /agents/log/export": "log",
  /** `?event=&run=` → `GraphAnswer` as it was right after that event, which is named by its cursor; 410 when it holds no longer */
  "GET /agents/log/at": "log",
  /** `?event=&path=` → `FilesThenAnswer`: the commit of the history that held right after that event, and what calls had written since */
  "GET /agents/log/files": "log",
  /** `?run=&since=&stamp=` → `StepsAnswer`: the events of a run as short as a replay wants them; `since`: only those after this cursor */
  "GET /agents/log/steps": "log",
  /** → `RunView[]`: the runs of the project, newest first */
  "GET /agents/runs": "agents",
  /** `NewRunBody` → 201 `RunStarted`: a run begins; 404 when there is no such agent; 412 when its file reads otherwise now */
  "POST /agents/runs": "agents",
  /** `ChangeRunBody` → `RunView`: a run, or one agent of it, is paused, continues or is stopped, or may more; 404 */
  "PUT /agents/runs": "agents",
  /** → `AgentKeysAnswer`: the keys of agents outside Vibey */
  "GET /outside/keys": "outside",
  /** `{name}` → 201 `AgentKeyAnswer`: the only answer with the key; 409 when there are too many */
  "POST /outside/keys": "outside",
  /** → `AgentKeysAnswer`: the key opens nothing anymore; 404 */
  "DELETE /outside/keys/:id": "outside",
  /**
   * `RegisterBody` → 201 `{ok, agent: RegisteredAgent}`: an agent outside Vibey has a record now. This call and those below need an agent key, as
   * `Authorization: Bearer` or `X-Agent-Key`, or in the path: `/k/<key>/v2/…`; else 401. A mistake is answered with an `OutsideRefusal`
   */
  "POST /v2/agents/register": "outside",
  /** → `{ok, agents: RegisteredAgent[]}`: those of the key */
  "GET /v2/agents": "outside",
  /** `OutsideEvent` → `{ok: true, warnings?}`; 400 what is none, 413 more than a megabyte, 429 more than 200 a second from an agent */
  "POST /v2/event": "outside",
  /**
   * `?agentId&source&wait=1` → `MessagesAnswer`: what the user has for an agent, each message once. With `wait`, once there is something: the answer begins
   * with spaces that keep the connection open
   */
  "GET /v2/messages": "outside",
  /** `OutsideEvent`, or the event of a known framework → the same */
  "POST /event": "outside",
  /**
   * A hook of `claude-code`, `codex` or `opencode` → what the agent's program takes as an answer; when the hook asks, once the user has decided in the
   * agent's record, after spaces that keep the connection open. `{}`: no one decided here. `?tell=1`: nothing is asked. `?wait=1`: the answer is what the user says next
   */
  "POST /hooks/:agent": "outside",
  /** → SSE of `LegacyFrame`: for viewers of earlier Vibecraft, of the key's agents */
  "GET /v2/stream": "outside",
  /** `{type: "get_history"}` or `{type: "ping"}` → `LegacyFrame`; `null` for any other message */
  "POST /v2/stream": "outside",
  /** → `{ok: true, status: "ok"}`, without a key */
  "GET /health": "outside",
  /** → `{ok, totalEvents, toolCounts, avgDurations}` of the key's agents */
  "GET /stats": "outside",
  /** → `{ok, sessions: LegacySession[]}` of the key's agents */
  "GET /sessions": "outside",
  /** → what the calls above answer, with the key in the path, for clients that take nothing but an address; 401 for any other path */
  "GET /k/:key/:rest{.+}": "outside",
  /** → the same */
  "POST /k/:key/:rest{.+}": "outside",
  /** → `ProviderAnswer` */
  "GET /provider/:name": "first",
  /** `ProviderBody` → `ProviderAnswer`; a key goes in and never comes out */
  "PUT /provider/:name": "first",
  /** → `KeysAnswer`: what is remembered of the keys on this device, and whether it is locked */
  "GET /keys": "keys",
  /**
   * `{provider} & SecretBody` → `KeysAnswer`; the secret makes what is remembered or opens it, none is needed while it is unlocked;
   * 403 for a wrong one
   */
  "POST /keys/remember": "keys",
  /** `SecretBody` → `KeysAnswer`; 403 for a wrong one */
  "POST /keys/unlock": "keys",
  /** → `KeysAnswer` */
  "POST /keys/lock": "keys",
  /** `SecretBody & {to: SecretBody}` → `KeysAnswer`: `to` opens it from now on, in the place of what was of its kind */
  "POST /keys/change": "keys",
  /** → `KeysAnswer`: all keys are forgotten */
  "DELETE /keys": "keys",
  /** → `KeysAnswer`: the key for the provider's address is forgotten */
  "DELETE /keys/:provider": "keys",
  /** → `ModelsAnswer`; 502 `ErrorAnswer` */
  "GET /provider/:name/models": "first",
  /** → `KnownProject[]`: the projects of this browser beside the first one */
  "GET /projects": "first",
  /** `{name}` → `{ok: true}`: it has another name. 409: a tab has it open */
  "PUT /projects/:id": "first",
  /** → `{ok: true}`: it is gone with its history and its copy. 409: a tab has it open */
  "DELETE /projects/:id": "first",
  /** → `CopyAnswer`: the backup of the project */
  "GET /copy": "copy",
  /** `?generation=` → the zip of one of its generations, without the number of the one that is written now */
  "GET /copy.zip": "copy",
  /** → `{status: "ok"}`; the calls of `/api` below need `X-PSK`, or `?psk=`, and say `{detail}` when something is wrong: 401, 429, 503 without a key */
  "GET /api/health": "sessions",
  /** → `{total, running, waiting, idle}`; `total` counts every session */
  "GET /api/state": "sessions",
  /** → `SessionItem[]`, those that began last first. `?limit=`: so many, 500 at most. `&before=`: those behind that id */
  "GET /api/sessions": "sessions",
  /** `{session_id?, message?, provider?, model?, slug?}` → 201 `SessionItem`; 409 when there is one of that id */
  "POST /api/sessions": "sessions",
  /** → `SessionDetail`; 404 */
  "GET /api/sessions/:id": "sessions",
  /** → `{session_id, status}`: it is stopped and done; its file stays. An agent outside is stopped with its next step: 202; 503 when it can't be told, or rests */
  "DELETE /api/sessions/:id": "sessions",
  /** → `SessionState`; 404 */
  "GET /api/sessions/:id/state": "sessions",
  /**
   * `{tool_call_id, approved, edited_args?, hash?}` → `{status: "ok"}` once it is stored; 404 when none is pending, 409 when it reads otherwise
   * now, 422 when the edited arguments don't fit the tool
   */
  "POST /api/sessions/:id/approve": "sessions",
  /** `{text, request_id?}` → `{status: "ok"}`; 404 unless the agent asks something, 409 when it asks something else; `request_id`: of `pending_input` */
  "POST /api/sessions/:id/input": "sessions",
  /** `{text}`, `Idempotency-Key` → `{status: "queued"}` once it is stored; 409 while it runs or a call is undecided, 422 when another message had that key, 503 for a session that is only shown */
  "POST /api/sessions/:id/message": "sessions",
  /**
   * A recording of up to 25 MB, as the body or as `file` of a form, `?language=` → `{text, language?}`; 413 when it is longer, 501 without a
   * provider that hears, 504 after 30 seconds
   */
  "POST /api/voice/transcribe": "assist",
  /** `{text, target, source?, provider?, model?}`, up to 20,000 characters → `{translation}`; 501 without a provider, 504 after 30 seconds */
  "POST /api/translate": "assist",
  /** `{text, voice?}`, up to 4,096 characters → `audio/mpeg`; 501 without a provider that speaks, 504 after 30 seconds */
  "POST /api/tts": "assist",
  /** → 501: this Vibey sends no push messages */
  "GET /api/push/vapid-key": "sessions",
  /** → 501 */
  "POST /api/push/subscribe": "sessions",
  /** → 501 */
  "POST /api/push/unsubscribe": "sessions",
  /**
   * `?since=&deltas=1` → SSE of `SessionMessage`; the bridge makes the messages of a WebSocket of it. `since`, or `Last-Event-ID`: the `id` of the last
   * event that the reader has. What an agent outside asks can be told again, with the same `id`
   */
  "GET /ws/events/:id": "sessions",
  /** → `BridgeAnswer` */
  "GET /bridge": "bridge",
  /** `BridgeBody` → `BridgeAnswer`; 400 without a key when none is known */
  "PUT /bridge": "bridge",
  /** → `BridgeAnswer`: the key is forgotten, and nothing comes in any more */
  "DELETE /bridge": "bridge",
  /** → `RecoveryAnswer` while the project's storage is lost, and then nothing else but `/copy.zip` is answered; else 404 */
  "GET /recovery": "recovery",
  /**
   * - `{action: "restore", generation}` → SSE of `RecoveryFrame`; who leaves stops it
   * - `{action: "both", generation}` → the same: the files of the storage and of that copy; what differs is kept twice
   * - `{action: "keep"}` → the same: the storage as it opened; the copy follows it from then on
   * - `{action: "anew"}` → SSE of `RecoveryFrame`: an empty project takes the place of the lost one
   */
  "POST /recovery": "recovery",
} as const satisfies Readonly<Record<string, string>>;

export type RoutePart = (typeof routes)[keyof typeof routes];
export type RoutePath = keyof typeof routes extends `${string} ${infer Path}` ? Path : never;
/** The methods of a path. */
export type MethodOf<Path extends RoutePath> =
  Extract<keyof typeof routes, `${string} ${Path}`> extends `${infer Method} ${string}` ? Method : never;

/** The paths of a part, each once. */
export function pathsOf(part: RoutePart): readonly string[] {
  const own = Object.entries(routes).filter(([, each]) => each === part);
  return [...new Set(own.map(([call]) => call.slice(call.indexOf(" ") + 1)))];
}
