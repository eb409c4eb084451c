import type { ExportedHistory } from "../../../fs/history/export-files.ts";
import { limits } from "../../../protocol/limits.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { OutgoingAnswer, Writer } from "../../../protocol/index.ts";
import type { ProjectHistory } from "../history/start.ts";
import type { RouteContext } from "../../routes/context.ts";
import type { Call } from "../../routes/route.ts";
import { failure, json } from "../../routes/answers.ts";
import { exportProject, findOutgoing, isScope, type Scope, tooManyInstalled } from "./export.ts";
import { progressOf } from "../../progress.ts";

/**
 * `GET /project.zip?scope=&form=&packages=&progress=` answers the zip while it is made, in its safe form unless the unchanged form is requested.
 * With `look=1` it answers what in the zip would run outside the browser.
 */
export async function answerExport(
  { url, request }: Call,
  { files, store, bus, history }: RouteContext,
  report: (error: unknown) => void,
): Promise<Response> {
  const scope = url.searchParams.get("scope") ?? "all";
  if (!isScope(scope)) return failure(400, "scope: expected one of docs, dialogs, all");
  const form = url.searchParams.get("form") ?? "safe";
  if (form !== "safe" && form !== "as-it-is") return failure(400, "form: expected one of safe, as-it-is");
  await store.flush();
  if (url.searchParams.get("look") === "1") return json(await lookOut(scope, { files, history }));
  const warn = (message: string): void => bus.emit({ type: "notice", data: { kind: "export", message } });
  const exported = await exportProject(scope, {
    files,
    asTheyAre: form === "as-it-is",
    packages: url.searchParams.get("packages") !== "0",
    signal: request.signal,
    onProgress: progressOf(url, bus),
    warn,
    history: async (options): Promise<ExportedHistory> => {
      try {
        const kept = await history.opened();
        const settled = await kept?.settle("quiet");
        if (settled?.ok === false) warn(`The latest changes aren't in the zip's history: ${settled.message}.`);
        return (await kept?.exported({ ...options, signal: request.signal })) ?? { files: [], damaged: [] };
      } catch (error) {
        if (request.signal.aborted) return { files: [], damaged: [] };
        // The files matter more than their history.
        report(error);
        warn(`The history couldn't be read, so it isn't in the zip: ${error instanceof Error ? error.message : String(error)}.`);
        return { files: [], damaged: [] };
      }
    },
  });
  if (!exported.ok) return failure(409, exported.why);
  return new Response(exported.zip, {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="vibey-${scope}.zip"`,
      "cache-control": "no-store",
    },
  });
}

async function lookOut(scope: Scope, { files, history }: Pick<RouteContext, "files" | "history">): Promise<OutgoingAnswer> {
  const all = await findOutgoing(scope, files, async (isWanted) => (await readHistory(history, (kept) => kept.ever(isWanted))) ?? []);
  const findings = all.slice(0, limits.outgoingListed);
  const asked = findings.flatMap(({ path, repository }) => (repository === undefined ? [path] : [path, repository]));
  const writers = asked.length > 0 ? await readHistory(history, (kept) => kept.writers(asked)) : null;
  /** For a file that was never in the project, but in a commit of one of its repositories: who wrote to that repository. */
  const writer = (path: string, repository = path): Writer | null => writers?.get(path) ?? writers?.get(repository) ?? null;
  return {
    findings: findings.map(({ path, level, reason, repository }) => ({ path, level, reason, writer: writer(path, repository) })),
    total: all.length,
    packages: await tooManyInstalled(scope, files),
  };
}

/** Null if no history can be read now. Findings are still reported. */
async function readHistory<T>(history: RouteContext["history"], look: (kept: ProjectHistory) => Promise<T>): Promise<T | null> {
  try {
    const kept = await history.opened();
    if (!kept) return null;
    await kept.settle("quiet");
    return await look(kept);
  } catch (error) {
    if (error instanceof StorageError) return null;
    throw error;
  }
}
