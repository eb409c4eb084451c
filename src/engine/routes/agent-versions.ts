import { readDefinition } from "../agents/read-definition.ts";
import { definitionHash, embeddedText } from "../agents/dialog-agent.ts";
import { slugPattern } from "../agents/definition.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import type { AgentVersion, AgentVersions, HistoryAnswer } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { failure, json } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { route, type Routes } from "./route.ts";

/** The versions of an agent's file in the history, each with the hash that dialogs use for it. */
export function versionRoutes(app: Routes, { files, history }: Pick<RouteContext, "files" | "history">): void {
  const ask = (path: string) => history.fetch(new Request(`http://engine${path}`));

  route(app, "/agents/profile/:slug/versions", {
    GET: async ({ url, param }) => {
      const slug = param("slug");
      if (!slugPattern.test(slug)) return failure(404, "Agent not found");
      const path = vibeyPath(`agent-${slug}.md`);
      const before = url.searchParams.get("before");
      const query = new URLSearchParams({ path, limit: String(limits.agentVersions), ...(before === null ? {} : { before }) });
      const listed = await ask(`/history?${query}`);
      if (!listed.ok) return listed;
      const { commits, more }: HistoryAnswer = await listed.json();
      const versions: AgentVersion[] = [];
      for (const { id, time, by, summary } of commits) {
        const file = await ask(`/history/${id}/file/${path}`);
        if (!file.ok && file.status !== 404) return file;
        const hash = file.ok ? hashOf(path, await file.arrayBuffer()) : null;
        versions.push({ commit: id, time, by, summary, hash });
      }
      const now = await files.read(path);
      return json({ path, now: now && hashOf(path, now.bytes), versions, more } satisfies AgentVersions);
    },
  });
}

/** The hash in a dialog that is started with this file. */
function hashOf(path: ReturnType<typeof vibeyPath>, bytes: ArrayBuffer | Uint8Array): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return definitionHash(embeddedText({ definition: readDefinition(path, text), text }));
}
