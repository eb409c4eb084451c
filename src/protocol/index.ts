/**
 * The shapes of what the router takes and answers: the engine's only interface to a screen. Types alone, so that the page
 * can share them without a module of the engine.
 *
 * | call | answer |
 * |---|---|
 * | `GET /files` | `string[]`: names in `vibey/`, newest first |
 * | `GET /file/:name` | `FileAnswer` with an `ETag`; 404, 400 `ErrorAnswer` |
 * | `POST /file/:name` `{content}` | `{ok: true, name}` with an `ETag`; 412 when `If-Match` names another version; 409 on an active dialog |
 * | `DELETE /file/:name` | `{ok: true}`; 404; 409 on an active dialog |
 * | `GET /dialogs?facts=1` | `DialogListing[]`, newest first; with `facts=1` the newest ones are looked into for their `DialogFacts`, with `facts=all` every one |
 * | `PUT /dialogs` `{status: "waiting"}` | `StopAllAnswer`: every dialog that is active, or waits for its turn, is stopped |
 * | `GET /limits` | `LimitsAnswer` |
 * | `GET /prices` | `PricesAnswer` |
 * | `PUT /prices` `PricesBody` | `PricesAnswer`: these are the user's prices from now on; 400 names the row and what is wrong with it |
 * | `GET /cost?days=` | SSE of `CostFrame`: what the dialogs of the project cost in so many days, today the last of them, or ever |
 * | `POST /dialog/new` `NewDialogBody` | `{dialogId, filename, provider, model, status}` |
 * | `POST /dialog` `NewDialogBody & {prompt}` | SSE of `Frame` |
 * | `PUT /dialog` `PutDialogBody` | SSE of `Frame` when a provider request may follow, else `StatusAnswer` |
 * | `GET /dialog/:id` | `DialogAnswer` |
 * | `GET /dialog/:id/asks` | `AsksAnswer` |
 * | `POST /dialog/:id/continue` `{prompt?}` | SSE of `Frame`: a new dialog that begins with a summary of this one, which stays whole |
 * | `POST /dialog/:id/fork` `ForkBody` | a new dialog with the messages of this one up to `message`; this one stays whole. With a prompt SSE of `Frame`, else `StatusAnswer`; 400 when there is no such message; 409 while it is being written |
 * | `GET /dialog/:id/stream` | SSE of `StreamFrame`: markdown; with `?view=parsed` SSE of `ViewFrame` |
 * | `GET /events` | SSE of `EngineEvent` |
 * | `GET /project.zip?scope=docs` or `dialogs` or `all`, `&form=safe` or `as-it-is` | the zip; without `form` the safe one. `progress=<id>`, here and below: `EngineEvent`s say how far it is |
 * | `GET /project.zip?scope=&look=1` | `OutgoingAnswer` |
 * | `POST /project.zip`, a zip | `ZipContents`: what is in it and what taking it would do; 400 `ZipRefusedAnswer` |
 * | `POST /project.zip?into=new&accept=&history=&name=`, a zip | `ZipTaken`: it is a project of its own now. `accept=1`: its authority lines count; `history=0`: without its history |
 * | `POST /project.zip?into=here&conflicts=mine` or `theirs` or `both`, `&accept=&seen=`, a zip | `ZipTaken`: its files are in this project; 409 when the conflicts are not those that were `seen` |
 * | `GET /deed` | `DeedListing[]` |
 * | `GET`, `PUT`, `DELETE /deed/<path>` | bytes out with an `ETag`, bytes in, `{ok: true}` |
 * | `GET /sandbox` | `SandboxAnswer` |
 * | `PUT /sandbox` `SandboxBody` | `SandboxAnswer`: the project's commands run there from the next one on |
 * | `POST /sandbox/start` | `SandboxAnswer`: the WebContainer is started now, again if it could not be before; the answer does not wait for it |
 * | `POST /sandbox/servers/:port/stop` | `SandboxAnswer`; 404: nothing listens there; 409: it is not known what to stop |
 * | `POST /move` `{from, to, copy?}` | `{ok: true, path}` with an `ETag`: a doc or a file of the deed has another name, or a second one like it is there; both as paths of the project (`vibey/doc-a.md`). 409 when `to` is there already; 403 for doc-main.md and for dialogs |
 * | `GET /search?q=` | SSE of `SearchFrame`: files whose text holds the words, in whatever case; docs first, then dialogs, then the deed |
 * | `GET /history?path=&dialog=&by=&since=&before=&limit=` | `HistoryAnswer`, newest first; `path`: a file or a folder; `dialog`: commits of its turns; `by`: those of `human`, `dialog` or `vibey`; `since`: a time in ISO 8601; `before`: the id of a commit |
 * | `GET /history/:id` | `HistoryCommitAnswer`; 404 |
 * | `GET /history/:id/diff/<path>` | `HistoryDiffAnswer`; 404 |
 * | `GET /history/:id/file/<path>` | the bytes of the file as this commit left it; 404 |
 * | `GET /history/:id/restore` | `RestorePreview`: what a restore of everything would change now; 404 |
 * | `POST /history/restore` `{id, path?}` | `RestoreAnswer`: the file, or all of the deed and the docs, as this commit left it |
 * | `POST /history/undo` `{id, path?}` | `RestoreAnswer`: what this commit changed reads again as before it |
 * | `GET`, `PUT /provider/:name` `ProviderBody` | `ProviderAnswer`; a key goes in and never comes out |
 * | `GET /keys` | `KeysAnswer`: what is remembered of the keys on this device, and whether it is locked |
 * | `POST /keys/remember` `{provider} & SecretBody` | `KeysAnswer`; the secret makes what is remembered or opens it, none is needed while it is unlocked; 403 for a wrong one |
 * | `POST /keys/unlock` `SecretBody` | `KeysAnswer`; 403 for a wrong one |
 * | `POST /keys/lock` | `KeysAnswer` |
 * | `POST /keys/change` `SecretBody & {to: SecretBody}` | `KeysAnswer`: `to` opens it from now on, in the place of what was of its kind |
 * | `DELETE /keys`, `DELETE /keys/:provider` | `KeysAnswer`: all keys, or the one for the provider's address, are forgotten |
 * | `GET /provider/:name/models` | `ModelsAnswer`; 502 `ErrorAnswer` |
 * | `GET /projects` | `KnownProject[]`: the projects of this browser beside the first one |
 * | `PUT /projects/:id` `{name}`, `DELETE /projects/:id` | `{ok: true}`: it has another name; it is gone with its history and its copy. 409: a tab has it open |
 * | `GET /copy` | `CopyAnswer`: the backup of the project |
 * | `GET /copy.zip?generation=` | the zip of one of its generations, without the number of the one that is written now |
 * | `GET /recovery` | `RecoveryAnswer` while the project's storage is lost, and then nothing else but `/copy.zip` is answered; else 404 |
 * | `POST /recovery` `{action: "restore", generation}` | SSE of `RecoveryFrame`; who leaves stops it |
 * | `POST /recovery` `{action: "both", generation}` | the same: the files of the storage and of that copy; what differs is kept twice |
 * | `POST /recovery` `{action: "keep"}` | the same: the storage as it opened; the copy follows it from then on |
 * | `POST /recovery` `{action: "anew"}` | SSE of `RecoveryFrame`: an empty project takes the place of the lost one |
 */
export type * from "./cost.ts";
export type * from "./dialogs.ts";
export type * from "./events.ts";
export type * from "./files.ts";
export type * from "./history.ts";
export type * from "./projects.ts";
export type * from "./providers.ts";
export type * from "./recovery.ts";
export type * from "./sandbox.ts";
export type * from "./view.ts";
