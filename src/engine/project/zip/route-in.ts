import { human } from "../../../fs/actor.ts";
import { type Path } from "../../../fs/path.ts";
import { nameOf } from "../../../fs/vibey-name.ts";
import type { ZipContents, ZipTaken } from "../../../protocol/index.ts";
import { readMain } from "../../dialogs/docs.ts";
import { cleanCharacters } from "../../../dialog/clean.ts";
import { dialogFilename, parseDialogFilename } from "../../../dialog/name.ts";
import { limits } from "../../../protocol/limits.ts";
import { isTracked } from "../history/tracked.ts";
import { failure, json } from "../../routes/answers.ts";
import type { RouteContext } from "../../routes/context.ts";
import type { Call } from "../../routes/route.ts";
import { type Archive, openArchive } from "./archive.ts";
import { compareWith, seenOf } from "./compare.ts";
import { type Choice, planMerge } from "./merge.ts";
import { archiveHistory, fillProject, storageMessage } from "./new-project.ts";
import { type Progress, progressOf } from "../../progress.ts";
import { RefusedArchive, unpack } from "./unpack.ts";
import type { ZipRefusal } from "../../../fs/zip/read.ts";
import type { FileStat } from "../../../fs/files.ts";

const choices: readonly string[] = ["mine", "theirs", "both"] satisfies Choice[];

/**
 * `POST /project.zip` answers what is in the zip, and what an import would change. Nothing is stored. With `?into=new` the zip becomes a new
 * project, with `?into=here` its files are imported into this one.
 */
export async function answerImport(call: Call, context: RouteContext): Promise<Response> {
  const { url, request } = call;
  const wanted = readWanted(url.searchParams);
  if (!wanted.ok) return failure(400, wanted.why);
  const opened = await openArchive(new Uint8Array(await request.arrayBuffer()));
  if (!opened.ok) return refusalAnswer(opened.refusal);
  const work = { archive: opened.archive, signal: request.signal, progress: progressOf(url, context.bus) };
  try {
    if (wanted.into === "look") return await look(work, context);
    if (wanted.into === "new") return await takeNew(work, wanted, context);
    return await takeHere(work, wanted, context);
  } catch (error) {
    if (error instanceof RefusedArchive) return refusalAnswer(error.refusal);
    // A caller that stopped the import reads no answer.
    if (request.signal.aborted) return failure(409, "Stopped. Nothing was imported.");
    throw error;
  }
}

interface Work {
  readonly archive: Archive;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

interface ImportRequest {
  readonly ok: true;
  readonly into: "look" | "new" | "here";
  readonly choice: Choice;
  readonly accept: boolean;
  /** Whether to import the history, too. */
  readonly history: boolean;
  readonly seen: string | null;
  /** The name of a new project. */
  readonly name: string;
}

function readWanted(query: URLSearchParams): ImportRequest | { readonly ok: false; readonly why: string } {
  const into = query.get("into") ?? "look";
  if (into !== "look" && into !== "new" && into !== "here")
    return { ok: false, why: "into: expected new or here, or nothing to look inside" };
  const choice = query.get("conflicts") ?? "mine";
  if (!isChoice(choice)) return { ok: false, why: `conflicts: expected one of ${choices.join(", ")}` };
  for (const name of ["accept", "history"]) {
    const value = query.get(name) ?? "0";
    if (value !== "0" && value !== "1") return { ok: false, why: `${name}: expected 1 or 0` };
  }
  return {
    ok: true,
    into,
    choice,
    accept: query.get("accept") === "1",
    history: query.get("history") !== "0",
    seen: query.get("seen"),
    name:
      cleanCharacters(query.get("name") ?? "")
        .trim()
        .slice(0, limits.projectName) || "Imported project",
  };
}

function isChoice(text: string): text is Choice {
  return choices.includes(text);
}

function refusalAnswer({ kind, entry, message }: ZipRefusal): Response {
  return failure(400, message, { refused: { kind, entry } });
}

async function look({ archive, signal, progress }: Work, { files, store, newProject }: RouteContext): Promise<Response> {
  await store.flush();
  const mine = await compareWith(files);
  const listed: ZipContents["files"][number][] = [];
  const inactive: ZipContents["inactive"][number][] = [];
  const interrupted: string[] = [];
  const conflicts: FileStat[] = [];
  let undecided = 0;
  const total = 2 * archive.size;
  for await (const arrival of unpack(archive, { accept: false, signal, onProgress: (bytes) => progress(bytes, total) })) {
    const { path, bytes } = arrival;
    const standing = await mine.compare(arrival);
    if (standing.kind === "conflict") conflicts.push(standing.mine);
    listed.push({ path, size: bytes.length, kind: kindOf(path), standing: standing.kind });
    for (const line of arrival.inactive) inactive.push({ path, line });
    if (arrival.wasActive) interrupted.push(path);
    undecided += arrival.undecided;
  }
  const history = await archiveHistory(archive, signal);
  progress(total, total);
  return json({
    files: listed,
    inactive,
    interrupted,
    undecided,
    history:
      history.kind === "read"
        ? { kind: "whole", commits: history.history.commits.length }
        : history.kind === "none"
          ? { kind: "none" }
          : { kind: "left-out", why: history.why },
    canBeNew: newProject !== null,
    seen: seenOf(conflicts),
  } satisfies ZipContents);
}

function kindOf(path: Path): ZipContents["files"][number]["kind"] {
  if (!path.startsWith("vibey/")) return "deed";
  return parseDialogFilename(nameOf(path) ?? "") ? "dialog" : "doc";
}

async function takeNew(
  { archive, signal, progress }: Work,
  { accept, history: withHistory, name }: ImportRequest,
  { newProject }: RouteContext,
): Promise<Response> {
  if (!newProject) return failure(409, "This browser can't store another project. Nothing was imported.");
  // Check everything before anything is stored.
  const total = 3 * archive.size;
  for await (const { path } of unpack(archive, { accept, signal, onProgress: (bytes) => progress(bytes, total) })) void path;
  const history = await archiveHistory(archive, signal);
  progress(2 * archive.size, total);
  const project = await newProject(name);
  let done: Awaited<ReturnType<typeof fillProject>>;
  try {
    const arrivals = unpack(archive, { accept, signal, onProgress: (bytes) => progress(2 * archive.size + bytes, total) });
    done = await fillProject(project, arrivals, withHistory && history.kind === "read" ? history.history : null, { accept, signal });
    signal.throwIfAborted();
    if (done.ok) await project.close();
  } catch (error) {
    await project.discard();
    throw error;
  }
  if (!done.ok) {
    await project.discard();
    return failure(507, done.message);
  }
  progress(total, total);
  return json({ ok: true, project: project.id, added: done.added, replaced: 0, renamed: 0, kept: 0, same: 0 } satisfies ZipTaken);
}

async function takeHere(
  { archive, signal, progress }: Work,
  { choice, accept, seen }: ImportRequest,
  { files, store, bus, history }: RouteContext,
): Promise<Response> {
  await store.flush();
  const total = archive.size;
  const mine = await compareWith(files);
  const main = (await readMain(files)) ?? "";
  const arrivals = unpack(archive, { accept, signal, onProgress: (bytes) => progress(bytes, total) });
  const plan = await planMerge(arrivals, mine, { choice, accept, main });
  if (seen !== null && seen !== plan.seen)
    return failure(409, "The project changed while you were reviewing. Nothing was imported. Check again, then choose.");
  const answer = {
    ok: true,
    project: null,
    added: plan.added,
    replaced: plan.replaced.length,
    renamed: plan.renamed,
    kept: plan.kept,
    same: plan.same,
  } satisfies ZipTaken;
  if (plan.changes.length === 0) return json(answer);

  // Replaced files must be in the history first.
  const kept = await openHistory(history);
  const settled = kept.ok ? ((await kept.history?.settle("all")) ?? { ok: false, message: "this project has no history" }) : kept;
  if (!settled.ok && plan.replaced.length > 0)
    return failure(503, `Importing now would overwrite changes that aren't in the history yet: ${settled.message}. Nothing was imported.`);
  signal.throwIfAborted();
  const paths = plan.changes.flatMap((change) => (change.op === "write" ? [change.path] : []));
  const tracked = new Set(paths.filter(isTracked));
  const summary = `imported ${tracked.size} ${tracked.size === 1 ? "file" : "files"} from a zip`;
  const put = () => store.other(plan.changes, { durability: "strict", by: human, expect: plan.expect });
  const recorder = kept.ok && tracked.size > 0 ? kept.history : null;
  const stored = recorder ? await recorder.importing(tracked, summary, put) : await put();
  if (!stored.ok) {
    if (stored.failure.kind === "conflict")
      return failure(409, `${stored.failure.path} changed while you were reviewing. Nothing was imported. Check again, then choose.`);
    return failure(507, storageMessage(stored.failure.kind));
  }
  for (const path of paths) {
    const dialog = parseDialogFilename(nameOf(path) ?? "");
    if (!dialog) continue;
    const { dialogId, status } = dialog;
    const filename = dialogFilename(dialogId, status);
    bus.emit({ type: "dialog", data: { filename, status, activity: null, waitingFor: null } }, { dialogId });
  }
  return json(answer);
}

async function openHistory(history: RouteContext["history"]) {
  try {
    return { ok: true, history: await history.opened() } as const;
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) } as const;
  }
}
