import { human } from "../../fs/actor.ts";
import { isGitObject } from "../../fs/git-name.ts";
import { canonical, parsePath, type Path } from "../../fs/path.ts";
import type { DeedListing } from "../../protocol/index.ts";
import { firstLimits } from "../../protocol/first-limits.ts";
import { etag, failure, ifMatch, notAsExpected, json, storageAnswer } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { type Call, route, type Routes } from "./route.ts";

/** The deed: the files that are being made. `vibey/` has its own routes and is refused here, in any spelling. */
export function deedRoutes(app: Routes, { files, store }: RouteContext): void {
  route(app, "/deed", {
    // Objects of a Git repository are not listed, because they are thousands of files that are named after their hashes and that nothing runs.
    GET: async () => {
      const stats = await files.list();
      return json(
        stats
          .filter(({ path }) => !isVibey(path) && !isGitObject(path))
          .map(({ path, size, mtime }): DeedListing => ({ path, size, mtime })),
      );
    },
  });

  route(app, "/deed/:path{.+}", { GET: withPath(read), PUT: withPath(write), DELETE: withPath(remove) });

  async function read(path: Path): Promise<Response> {
    const content = await files.read(path);
    if (!content) return failure(404, "File not found");
    return new Response(new Uint8Array(content.bytes), {
      headers: {
        "content-type": "application/octet-stream",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        ...etag(content.version),
      },
    });
  }

  async function write(path: Path, { request }: Call): Promise<Response> {
    const match = ifMatch(request);
    if (!match.ok) return failure(412, "If-Match names a version that was never one of this file's");
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > firstLimits.fileBytes) return failure(400, `body: expected at most ${firstLimits.fileBytes} bytes`);
    const stored = await store.other([{ op: "write", path, data: bytes }], {
      durability: "strict",
      by: human,
      ...(match.version === undefined ? {} : { expect: [{ path, version: match.version }] }),
    });
    if (stored.ok) return json({ ok: true, path }, 200, etag(stored.version));
    if (stored.failure.kind === "conflict") return notAsExpected(path, match.version);
    return storageAnswer(stored.failure.kind);
  }

  async function remove(path: Path, { request }: Call): Promise<Response> {
    const match = ifMatch(request);
    if (!match.ok) return failure(412, "If-Match names a version that was never one of this file's");
    const stored = await store.other([{ op: "remove", path }], {
      durability: "strict",
      by: human,
      ...(match.version === undefined ? {} : { expect: [{ path, version: match.version }] }),
    });
    if (stored.ok) return json({ ok: true });
    if (stored.failure.kind === "missing") return failure(404, "File not found");
    if (stored.failure.kind === "conflict") return notAsExpected(path, match.version);
    return storageAnswer(stored.failure.kind);
  }
}

export function isVibey(path: Path): boolean {
  const form = canonical(path);
  return form === "vibey" || form.startsWith("vibey/");
}

function withPath(handle: (path: Path, call: Call) => Promise<Response>): (call: Call) => Promise<Response> {
  return async (call) => {
    const parsed = parsePath(call.param("path"));
    if (!parsed.ok) return failure(400, `path: ${parsed.failure.why}`);
    return isVibey(parsed.path) ? failure(403, "path: vibey/ is no part of the deed") : handle(parsed.path, call);
  };
}
