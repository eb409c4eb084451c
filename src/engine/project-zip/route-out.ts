import type { ExportedHistory } from "../../fs/history/export-files.ts";
import { failure } from "../routes/answers.ts";
import type { RouteContext } from "../routes/context.ts";
import type { Call } from "../routes/route.ts";
import { exportProject, isScope } from "./export.ts";
import { progressOf } from "./progress.ts";

/** `GET /project.zip?scope=&progress=`: the zip, as it is made. */
export async function answerExport(
  { url, request }: Call,
  { files, store, bus, history }: RouteContext,
  report: (error: unknown) => void,
): Promise<Response> {
  const scope = url.searchParams.get("scope") ?? "all";
  if (!isScope(scope)) return failure(400, "scope: expected one of docs, dialogs, all");
  await store.flush();
  const warnings: string[] = [];
  const exported = await exportProject(scope, {
    files,
    signal: request.signal,
    onProgress: progressOf(url, bus),
    history: async (bare): Promise<ExportedHistory> => {
      try {
        const kept = await history.opened();
        const settled = await kept?.settle("quiet");
        if (settled?.ok === false) warnings.push(`The newest changes are not in the zip's history: ${settled.message}.`);
        return (await kept?.exported({ bare, signal: request.signal })) ?? { files: [], damaged: [] };
      } catch (error) {
        if (request.signal.aborted) return { files: [], damaged: [] };
        // The files are worth more than their history.
        report(error);
        warnings.push(`The history could not be read, and is not in the zip: ${error instanceof Error ? error.message : String(error)}.`);
        return { files: [], damaged: [] };
      }
    },
  });
  for (const message of [...warnings, ...exported.warnings]) bus.emit({ type: "notice", kind: "export", message, dialogId: null });
  return new Response(exported.zip, {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="vibey-${scope}.zip"`,
      "cache-control": "no-store",
    },
  });
}
