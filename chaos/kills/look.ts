import type { FoundDialogs } from "./check-dialogs.ts";

export interface Found extends FoundDialogs {
  readonly versions: Readonly<Record<string, string | null>>;
  /** Problems found in the history. */
  readonly history: readonly string[];
}

/** Runs in the page: reads back everything that may have been acknowledged. It is self-contained, because it is sent to the page as text. */
export async function look([names, commit]: readonly [names: readonly string[], commit: string | null]): Promise<Found> {
  const get = async (path: string): Promise<Response | null> => {
    const response = await fetch(path);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status} ${await response.text()}`);
    return response;
  };
  const json = async <T>(path: string): Promise<T> => {
    const response = await get(path);
    if (!response) throw new Error(`GET ${path} answered 404`);
    return (await response.json()) as T;
  };
  const files = await json<string[]>("files");
  const listing = await json<FoundDialogs["listing"]>("dialogs");
  const dialogs = await Promise.all(
    listing.map(async ({ dialogId, filename }) => {
      const { markdown } = await json<{ markdown: string }>(`dialog/${dialogId}`);
      const tag = /-(t[0-9-]+)-(?:waiting|done|active)\.md$/.exec(filename)?.[1] ?? "";
      const log = (await (await get(`deed/log/${tag}.txt`))?.text()) ?? "";
      return [dialogId, { markdown, log: log.split("\n").filter((line) => line !== "") }] as const;
    }),
  );
  const versions = await Promise.all(
    names.map(async (name) => {
      if (!name.endsWith(".md")) return [name, (await (await get(`deed/${name}`))?.text()) ?? null] as const;
      const answer = await get(`file/${name}`);
      return [name, answer ? ((await answer.json()) as { content: string }).content : null] as const;
    }),
  );
  const history: string[] = [];
  const { commits } = await json<{ commits: readonly { readonly id: string }[] }>("history?limit=3");
  if (commit !== null && !(await get(`history/${commit}`))) history.push(`the commit ${commit} is lost from the history`);
  for (const { id } of commits) {
    const { changes } = await json<{ changes: readonly { readonly path: string }[] }>(`history/${id}`);
    for (const { path } of changes.slice(0, 5)) await json(`history/${id}/diff/${path.split("/").map(encodeURIComponent).join("/")}`);
  }
  return { files, listing, dialogs: Object.fromEntries(dialogs), versions: Object.fromEntries(versions), history };
}
