/**
 * Every call that the engine answers. The router, the paths that the page's `fetch` passes to the engine (`own-segments.ts`) and `docs/api.md` are
 * generated from this table. The comment above a call describes the request and, after the arrow, the response. Bodies and responses are JSON of the
 * shapes in this folder. Errors are `ErrorAnswer`s. Paths are under the app's base. `{.+}` also matches slashes.
 *
 * The value says which part of the engine answers: `first` is loaded with the engine, the others with their first call. `copy` and `recovery` also
 * answer if the project's storage is lost, and then nothing else does.
 */
export const routes = {
  /** → `string[]`: names in `vibey/`, newest first */
  "GET /files": "first",
  /** → `FileAnswer` with an `ETag`; 404, 400 `ErrorAnswer` */
  "GET /file/:name{.+}": "first",
  /**
   * `{content}` → `{ok: true, name}` with an `ETag`; 412 if `If-Match` names another version, or if the file exists and `If-None-Match` is `*`; 409
   * for an active dialog
   */
  "POST /file/:name{.+}": "first",
  /**
   * → `{ok: true}`; 404; 412 if `If-Match` names another version; 409 for an active dialog, and for the first dialog of a run in which other dialogs
   * are active
   */
  "DELETE /file/:name{.+}": "first",
  /** `?facts=1` → `DialogListing[]`, newest first; `facts=1` includes the `DialogFacts` of the newest ones, `facts=all` those of all */
  "GET /dialogs": "agents",
  /** `{status: "waiting"}` → `StopAllAnswer`: stops every dialog that is active or queued */
  "PUT /dialogs": "agents",
  /** → `LimitsAnswer` */
  "GET /limits": "agents",
  /** → `UserAnswer` */
  "GET /user": "agents",
  /** `{name}` → `UserAnswer`: sets what agents call the user, on this device; "" means "Owner" */
  "PUT /user": "agents",
  /** → `PricesAnswer` */
  "GET /prices": "agents",
  /** `PricesBody` → `PricesAnswer`: replaces the user's prices; 400 names the row and its mistake */
  "PUT /prices": "agents",
  /** `?days=` → SSE of `CostFrame`: what the project's dialogs cost in the last days, including today; without `days`, in all time */
  "GET /cost": "agents",
  /** `NewDialogBody` → `{dialogId, filename, provider, model, status}` */
  "POST /dialog/new": "agents",
  /** `NewDialogBody & {prompt}` → SSE of `Frame` */
  "POST /dialog": "agents",
  /** `PutDialogBody` → SSE of `Frame` if a provider request may follow, otherwise `StatusAnswer` */
  "PUT /dialog": "agents",
  /** → `DialogAnswer` */
  "GET /dialog/:id": "agents",
  /** → `AsksAnswer` */
  "GET /dialog/:id/asks": "agents",
  /** `{prompt?}` → SSE of `Frame`: starts a new dialog with a summary of this one, which stays unchanged */
  "POST /dialog/:id/continue": "agents",
  /**
   * `ForkBody` → a new dialog with the messages of this one up to `message`; this one stays unchanged. SSE of `Frame` with a prompt, otherwise
   * `StatusAnswer`; 400 if there is no such message; 409 while a copied message is being written or runs a command
   */
  "POST /dialog/:id/fork": "agents",
  /** → `StatusAnswer`: asks for a summary of this fork, which the fork answers; 409 if it is not a fork */
  "POST /dialog/:id/resolve": "agents",
  /**
   * → `StatusAnswer`: sends the summary to the original dialog and marks the fork as done; 409 if there is no summary, or if the original dialog's
   * agent is working
   */
  "PUT /dialog/:id/resolve": "agents",
  /** → SSE of `StreamFrame`: Markdown; with `?view=parsed` SSE of `ViewFrame` */
  "GET /dialog/:id/stream": "agents",
  /**
   * - → SSE of `LiveFrame`
   * - `?since=` → SSE of `LogFrame`: the events of the log after that cursor, then each new one, and live events between them; an empty `since=`:
   *   from the first event on
   */
  "GET /events": "first",
  /**
   * `?dialog=&type=&tool=&severity=&by=&before=&limit=` → `LogAnswer`, newest first; `type`: one or more, separated by commas; `by`: `human`, `agent`
   * or `vibey`; `before`: a cursor. While the log is being rebuilt, live events report the progress to `?progress=<id>`. 410 `ErrorAnswer` if the log
   * was rebuilt since the cursor was returned
   */
  "GET /log": "log",
  /** The same filters → the events as a JSON list to download, oldest first */
  "GET /log.json": "log",
  /**
   * - `?scope=docs` or `dialogs` or `all`, `&form=safe` or `as-it-is` → the zip; without `form` the safe one, and with `&packages=0` without
   *   installed packages. `progress=<id>`, here and below: live events report the progress
   * - `?scope=&look=1` → `OutgoingAnswer`
   */
  "GET /project.zip": "first",
  /**
   * - a zip → `ZipContents`: its content and what an import would do; 400 `ZipRefusedAnswer`
   * - `?into=new&accept=&history=&name=` a zip → `ZipTaken`: imports it as a new project. `accept=1`: its authority lines take effect; `history=0`:
   *   without its history
   * - `?into=here&conflicts=mine` or `theirs` or `both`, `&accept=&seen=`, a zip → `ZipTaken`: imports its files into this project; 409 if the
   *   conflicts are not those that were `seen`
   */
  "POST /project.zip": "first",
  /** → `DeedListing[]` */
  "GET /deed": "first",
  /** → the bytes, with an `ETag` */
  "GET /deed/:path{.+}": "first",
  /** bytes → `{ok: true}` with an `ETag`; 412 as for a file */
  "PUT /deed/:path{.+}": "first",
  /** → `{ok: true}`; 404; 412 as for a file */
  "DELETE /deed/:path{.+}": "first",
  /** → `SandboxAnswer` */
  "GET /sandbox": "agents",
  /** `SandboxBody` → `SandboxAnswer`: from the next command on, the project's commands run there */
  "PUT /sandbox": "agents",
  /** `NodeEngineBody` → `SandboxAnswer`: from the next program on, `node` in Vibey's own shell uses that engine */
  "PUT /sandbox/node": "agents",
  /** → `SandboxAnswer`: starts the WebContainer, or tries again if it could not start before; doesn't wait for the start */
  "POST /sandbox/start": "agents",
  /**
   * `?dialog=`: the dialog of the server, if it listens in Vibey's own shell → `SandboxAnswer`; 404: nothing listens there; 409: it is unknown what
   * to stop
   */
  "POST /sandbox/servers/:port/stop": "agents",
  /**
   * One line of JSON, a `ServerRequest`, then the body → one line of JSON, a `ServerResponse`, then the body: the response of a dialog's server in
   * Vibey's own shell; 404: nothing listens there; 502: the response could not be read
   */
  "POST /sandbox/servers/:port/request": "agents",
  /**
   * `{from, to, copy?}` → `{ok: true, path}` with an `ETag`: renames or copies a doc or a file of the deed; both are paths of the project
   * (`vibey/doc-a.md`). 409 if `to` exists; 403 for doc-main.md, for dialogs, for a doc with authority lines that would become doc-main.md, and for
   * any file that would become an agent's
   */
  "POST /move": "move",
  /** → `{name, content}[]`: the docs of the demo */
  "GET /demo": "demo",
  /** → `{ok: true}`: adds them to the project, which must have no files; 409 if it has other files */
  "POST /demo": "demo",
  /** `?q=` → SSE of `SearchFrame`: files whose text contains the query, ignoring case; docs first, then dialogs, then the deed */
  "GET /search": "search",
  /**
   * `?path=&dialog=&by=&since=&before=&limit=` → `HistoryAnswer`, newest first; `path`: a file or a folder; `dialog`: commits of its turns; `by`:
   * `human`, `agent` or `vibey`; `since`: a time in ISO 8601; `before`: the id of a commit
   */
  "GET /history": "history",
  /** → `HistoryCommitAnswer`; 404 */
  "GET /history/:id": "history",
  /** → `HistoryDiffAnswer`; 404 */
  "GET /history/:id/diff/:path{.+}": "history",
  /** → the bytes of the file right after this commit; 404 */
  "GET /history/:id/file/:path{.+}": "history",
  /** → `HistoryFilesAnswer`: the paths of all files right after this commit; 404 */
  "GET /history/:id/files": "history",
  /** → `RestorePreview`: what restoring everything would change now; 404 */
  "GET /history/:id/restore": "history",
  /** `{id, path?}` → `RestoreAnswer`: restores the file, or the whole deed and all docs, to the state right after this commit */
  "POST /history/restore": "history",
  /** `{id, path?}` → `RestoreAnswer`: undoes the changes of this commit */
  "POST /history/undo": "history",
  /** → `AgentView[]`: the agents that files define, those in `vibey/` first */
  "GET /agents": "definitions",
  /** `NewAgentBody` → 201 `AgentWritten` with an `ETag`; 400 for a bad slug, 409 if you have such an agent already */
  "POST /agents": "definitions",
  /** → `BuiltInAgent[]`: the agents that come with Vibey; a file `vibey/agent-<slug>.md` replaces one */
  "GET /agents/built-in": "definitions",
  /** → `AgentAnswer` with an `ETag`; 404 */
  "GET /agents/profile/:slug": "definitions",
  /** `AgentBody` → `AgentWritten` with an `ETag`; 412 if `If-Match` names another version, or with `If-None-Match: *`; 403 for a found agent; 404 */
  "PUT /agents/profile/:slug": "definitions",
  /** → `ToolPermissionRow[]`: what the agent may do with each tool, and which rule says so; 404 */
  "GET /agents/profile/:slug/powers": "definitions",
  /** `?before=` → `AgentVersions`: the versions of one of your agents in the history, newest first, also of a deleted one; `before`: a commit */
  "GET /agents/profile/:slug/versions": "definitions",
  /** → `{ok: true}`; 403 for a found agent; 404 */
  "DELETE /agents/profile/:slug": "definitions",
  /**
   * `AdoptBody` → 201 `AgentWritten`: copies another program's agent to `vibey/`; 200 if it replaces one of yours; 404; 409 if you have an agent with
   * that slug; 412 if a file has changed since
   */
  "POST /agents/adopt": "definitions",
  /**
   * `{files: [{path, text}]}`, or a zip → `AgentImport`: adds agents of other programs as found agents, and their other files as docs. Overwrites
   * nothing
   */
  "POST /agents/import": "definitions",
  /** `?dialog=` → `AgentTask[]`: the tasks that messages of that dialog gave to agents, oldest first; 404 */
  "GET /agents/tasks": "agents",
  /** → `SchedulesAnswer`: the lines of doc-main.md that start agents, with the last and the next time of each */
  "GET /agents/schedules": "agents",
  /**
   * `ScheduleBody` → `SchedulesAnswer`: adds or removes a line of doc-main.md; 400 names the mistake, 409 if the line exists, 412 if doc-main.md has
   * changed
   */
  "PUT /agents/schedules": "agents",
  /** → `LevelsAnswer`: what agents do without asking, according to doc-main.md, and the lines that each level would change */
  "GET /agents/levels": "definitions",
  /** `{level, etag}` → `LevelsAnswer`: sets the lines of that level in doc-main.md; 412 if its version is not `etag` */
  "PUT /agents/levels": "definitions",
  /** `?run=` → `GraphAnswer`: the agents below that dialog, and the files that they read and wrote; without `run`, all agents of the project. 404 */
  "GET /agents/graph": "log",
  /**
   * `?run=&agent=&type=&tool=&severity=` → what agents did, in the ten types of `RunLogType`; `run`: the root's dialog; `agent`: a file or a dialog;
   * `type`: one or more, separated by commas
   * - `&before=&since=&limit=` → `RunLogAnswer`, newest first; 410 if a cursor is no longer valid
   * - `&since=` with `Accept: text/event-stream` → SSE of `RunLogFrame`: each entry after that cursor, then each new one
   */
  "GET /agents/log": "log",
  /** The same filters → the entries as a JSON list to download, oldest first: `RunLogEntry[]` */
  "GET /agents/log/export": "log",
  /** `?event=&run=` → `GraphAnswer` right after the event with that cursor; 410 if the cursor is no longer valid */
  "GET /agents/log/at": "log",
  /** `?event=&path=` → `FilesThenAnswer`: the last commit of the history at that event, and what calls had written since */
  "GET /agents/log/files": "log",
  /** `?run=&since=&stamp=` → `StepsAnswer`: the events of a run, reduced for a replay; `since`: only those after this cursor */
  "GET /agents/log/steps": "log",
  /** → `RunView[]`: the runs of the project, newest first */
  "GET /agents/runs": "agents",
  /** `NewRunBody` → 201 `RunStarted`: starts a run; 404 if there is no such agent; 412 if its file has changed */
  "POST /agents/runs": "agents",
  /** `ChangeRunBody` → `RunView`: pauses, resumes or stops a run or one of its agents, or changes its limits; 404 */
  "PUT /agents/runs": "agents",
  /** → `AgentKeysAnswer`: the keys of agents outside Vibey */
  "GET /outside/keys": "outside",
  /** `{name}` → 201 `AgentKeyAnswer`: the only answer with the key; 409 if there are too many */
  "POST /outside/keys": "outside",
  /** → `AgentKeysAnswer`: revokes the key; 404 */
  "DELETE /outside/keys/:id": "outside",
  /**
   * `RegisterBody` → 201 `{ok, agent: RegisteredAgent}`: creates the record of an agent outside Vibey. This call and those below need an agent key,
   * as `Authorization: Bearer` or `X-Agent-Key`, or in the path: `/k/<key>/v2/…`; otherwise 401. An error is an `OutsideRefusal`
   */
  "POST /v2/agents/register": "outside",
  /** → `{ok, agents: RegisteredAgent[]}`: the agents of the key */
  "GET /v2/agents": "outside",
  /**
   * `OutsideEvent` → `{ok: true, warnings?}`; 400 for an invalid event, 413 for more than a megabyte, 429 for more than 200 a second from one agent
   */
  "POST /v2/event": "outside",
  /**
   * `?agentId&source&wait=1` → `MessagesAnswer`: the user's messages for an agent, each once. `wait` waits for a message: the response begins with
   * spaces that keep the connection open
   */
  "GET /v2/messages": "outside",
  /** `OutsideEvent`, or the event of a known framework → the same */
  "POST /event": "outside",
  /**
   * A hook of `claude-code`, `codex` or `opencode` → the response that the agent's program expects. If the hook asks for approval, it comes once the
   * user has decided in the agent's record, after spaces that keep the connection open. `{}`: no one decided here. `?tell=1`: nothing is asked.
   * `?wait=1`: responds with the user's next message
   */
  "POST /hooks/:agent": "outside",
  /** → SSE of `LegacyFrame`: for viewers of earlier Vibecraft, about the key's agents */
  "GET /v2/stream": "outside",
  /** `{type: "get_history"}` or `{type: "ping"}` → `LegacyFrame`; `null` for any other message */
  "POST /v2/stream": "outside",
  /** → `{ok: true, status: "ok"}`, without a key */
  "GET /health": "outside",
  /** → `{ok, totalEvents, toolCounts, avgDurations}` of the key's agents */
  "GET /stats": "outside",
  /** → `{ok, sessions: LegacySession[]}` of the key's agents */
  "GET /sessions": "outside",
  /** → the same as the calls above, with the key in the path, for clients that can only be given an address; 401 for any other path */
  "GET /k/:key/:rest{.+}": "outside",
  /** → the same */
  "POST /k/:key/:rest{.+}": "outside",
  /** → `ProviderAnswer` */
  "GET /provider/:name": "first",
  /** `ProviderBody` → `ProviderAnswer`; a key is never returned */
  "PUT /provider/:name": "first",
  /** → `KeysAnswer`: which keys are saved on this device, and whether they are locked */
  "GET /keys": "keys",
  /**
   * `{provider} & SecretBody` → `KeysAnswer`; the secret creates or unlocks the saved keys, and is not needed while they are unlocked; 403 for a
   * wrong one
   */
  "POST /keys/remember": "keys",
  /** `SecretBody` → `KeysAnswer`; 403 for a wrong one */
  "POST /keys/unlock": "keys",
  /** → `KeysAnswer` */
  "POST /keys/lock": "keys",
  /** `SecretBody & {to: SecretBody}` → `KeysAnswer`: from now on `to` unlocks the keys and replaces the previous secret of its kind */
  "POST /keys/change": "keys",
  /** → `KeysAnswer`: deletes all keys */
  "DELETE /keys": "keys",
  /** → `KeysAnswer`: deletes the key for the provider's address */
  "DELETE /keys/:provider": "keys",
  /** → `ModelsAnswer`; 502 `ErrorAnswer` */
  "GET /provider/:name/models": "first",
  /** → `KnownProject[]`: the projects of this browser other than the first one */
  "GET /projects": "first",
  /** `{name}` → `{ok: true}`: renames the project. 409: it is open in a tab */
  "PUT /projects/:id": "first",
  /** → `{ok: true}`: deletes the project with its history and its backup. 409: it is open in a tab */
  "DELETE /projects/:id": "first",
  /** → `CopyAnswer`: the backup of the project */
  "GET /copy": "copy",
  /** `?generation=` → the zip of that generation of the backup; without `generation`, the one that is being written */
  "GET /copy.zip": "copy",
  /** → `{status: "ok"}`; the `/api` calls below need `X-PSK` or `?psk=`; their errors have a `{detail}`: 401, 429, 503 without a key */
  "GET /api/health": "sessions",
  /** → `{total, running, waiting, idle}`; `total` counts every session */
  "GET /api/state": "sessions",
  /** → `SessionItem[]`, latest start first. `?limit=`: at most that many, up to 500. `&before=`: those after that id in the list */
  "GET /api/sessions": "sessions",
  /** `{session_id?, message?, provider?, model?, slug?}` → 201 `SessionItem`; 409 if the id exists */
  "POST /api/sessions": "sessions",
  /** → `SessionDetail`, whose `backlog` has up to 500 events in the order in which they happened, as `/ws` has them; 404 */
  "GET /api/sessions/:id": "sessions",
  /**
   * → `{session_id, status}`: stops the session and marks it as done; its file stays. An agent outside stops with its next step: 202; 503 if it can't
   * be told or is idle
   */
  "DELETE /api/sessions/:id": "sessions",
  /** → `SessionState`; 404 */
  "GET /api/sessions/:id/state": "sessions",
  /**
   * `{tool_call_id, approved, edited_args?, hash?}` → `{status: "ok"}` once it is stored; 404 if no such call is pending, 409 if the call has
   * changed, 422 if the edited arguments don't fit the tool
   */
  "POST /api/sessions/:id/approve": "sessions",
  /**
   * `{text, request_id?}` → `{status: "ok"}`; 404 unless the agent asks something, 409 if it asks something else; `request_id`: from `pending_input`
   */
  "POST /api/sessions/:id/input": "sessions",
  /**
   * `{text}`, `Idempotency-Key` → `{status: "queued"}` once it is stored; 409 while the session runs or a call is undecided, 422 if another message
   * had that key, 503 for a read-only session
   */
  "POST /api/sessions/:id/message": "sessions",
  /**
   * A recording of up to 25 MB, as the body or as `file` of a form, `?language=` → `{text, language?}`; 413 if it is longer, 501 without a provider
   * for speech recognition, 504 after 30 seconds
   */
  "POST /api/voice/transcribe": "assist",
  /** `{text, target, source?, provider?, model?}`, up to 20,000 characters → `{translation}`; 501 without a provider, 504 after 30 seconds */
  "POST /api/translate": "assist",
  /** `{text, voice?}`, up to 4,096 characters → `audio/mpeg`; 501 without a provider for speech, 504 after 30 seconds */
  "POST /api/tts": "assist",
  /** → 501: Vibey sends no push messages */
  "GET /api/push/vapid-key": "sessions",
  /** → 501 */
  "POST /api/push/subscribe": "sessions",
  /** → 501 */
  "POST /api/push/unsubscribe": "sessions",
  /**
   * `?since=&deltas=1` → SSE of `SessionMessage`; the bridge turns it into the messages of a WebSocket. `since`, or `Last-Event-ID`: the `id` of the
   * last event that the reader has. A question of an outside agent can be sent again with the same `id`
   */
  "GET /ws/events/:id": "sessions",
  /** → `BridgeAnswer` */
  "GET /bridge": "bridge",
  /** `BridgeBody` → `BridgeAnswer`; 400 without a key if none is set */
  "PUT /bridge": "bridge",
  /** → `BridgeAnswer`: deletes the key and closes the connection */
  "DELETE /bridge": "bridge",
  /** → `RecoveryAnswer` while the project's storage is lost; then only this and `/copy.zip` are answered. Otherwise 404 */
  "GET /recovery": "recovery",
  /**
   * - `{action: "restore", generation}` → SSE of `RecoveryFrame`; closing the stream stops it
   * - `{action: "both", generation}` → the same: keeps the files of the storage and of that backup; both versions of a file if they differ
   * - `{action: "keep"}` → the same: keeps the storage as it opened; the backup follows it from now on
   * - `{action: "anew"}` → SSE of `RecoveryFrame`: an empty project replaces the lost one
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
