import type { Hono } from "hono/tiny";
import type { FileStat } from "../../fs/files.ts";
import { parseDialogFilename } from "../format/name.ts";
import { failure } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { route } from "./route.ts";

const scopes: Readonly<Record<string, (stat: FileStat) => boolean>> = {
  docs: ({ path }) => path.startsWith("vibey/") && !parseDialogFilename(path.slice("vibey/".length)),
  dialogs: ({ path }) => path.startsWith("vibey/"),
  all: () => true,
};

/** A snapshot of the project: docs; docs and dialogs; everything. */
export function projectRoutes(app: Hono, { files, store }: RouteContext): void {
  route(app, "/project.zip", {
    GET: async ({ url, request }) => {
      const scope = url.searchParams.get("scope") ?? "all";
      const wanted = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
      if (!wanted) return failure(400, `scope: expected one of ${Object.keys(scopes).join(", ")}`);
      await store.flush();
      const stats = (await files.list()).filter(wanted);
      const contents = await Promise.all(stats.map(({ path }) => files.read(path)));
      const { zipFiles } = await import("../../fs/zip.ts");
      const zip = await zipFiles(
        contents.flatMap((content) => (content ? [{ path: content.path, bytes: content.bytes, mtime: content.mtime }] : [])),
        { signal: request.signal },
      );
      return new Response(new Uint8Array(zip), {
        headers: {
          "content-type": "application/zip",
          "content-disposition": `attachment; filename="vibey-${scope}.zip"`,
          "cache-control": "no-store",
        },
      });
    },
  });
}
