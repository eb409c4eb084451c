import { vibey } from "../../fs/actor.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { failure, json, storageAnswer } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { createRoutes, route } from "./route.ts";

/** The docs of the demo, to read or to add to a project without files. */
export function demoRoutes(
  { files, store, providers, demoDocs }: Pick<RouteContext, "files" | "store" | "providers" | "demoDocs">,
  report: (error: unknown) => void,
) {
  const app = createRoutes(report);
  route(app, "/demo", {
    GET: async () => json(await demoDocs()),
    POST: async () => {
      // The page starts a dialog with the demo next, so load its code now.
      void providers.provider("demo")?.prepare?.();
      const docs = (await demoDocs()).map(({ name, content }) => ({ path: vibeyPath(name), content }));
      const present = await files.list();
      if (await same()) return json({ ok: true });
      if (present.length > 0) return failure(409, "The project has files already. Nothing was stored.");
      const stored = await store.other(
        docs.map(({ path, content }) => ({ op: "write", path, data: content }) as const),
        { durability: "strict", by: vibey, expect: docs.map(({ path }) => ({ path, version: null })) },
      );
      if (stored.ok) return json({ ok: true });
      return stored.failure.kind === "conflict"
        ? failure(409, "The project has files already. Nothing was stored.")
        : storageAnswer(stored.failure.kind);

      /** Whether the project already is the demo, added here or imported from a zip. */
      async function same(): Promise<boolean> {
        if (present.length !== docs.length) return false;
        const found = await files.readMany(docs.map(({ path }) => path));
        return found.every((file, index) => file !== null && new TextDecoder().decode(file.bytes) === docs[index]?.content);
      }
    },
  });
  return app.fetch;
}
