/** A file of the build that is too large to store before anyone uses it. */
export interface LateFile {
  /** Relative to the app's base. The name identifies the content. */
  readonly url: string;
  readonly integrity: string;
}

/** Stores such files once they have been used, for use without a network. */
export interface LateFiles {
  has(name: string): boolean;
  find(name: string): Promise<Response | null>;
  /** Stores a response if it is exactly the build's own file. Ignores any other. */
  keep(name: string, response: Response): Promise<void>;
  /** Deletes the files of older versions. */
  tidy(): Promise<void>;
}

export function createLateFiles(files: readonly LateFile[], scope: URL, storage: Pick<CacheStorage, "open">): LateFiles {
  const known = new Map(files.map((file) => [file.url, file.integrity]));
  const open = (): Promise<Cache> => storage.open(`vibey-used-${scope.href}`);
  const address = (name: string): string => new URL(name, scope).href;
  return {
    has: (name) => known.has(name),
    async find(name) {
      return known.has(name) ? ((await (await open()).match(address(name))) ?? null) : null;
    },
    async keep(name, response) {
      const integrity = known.get(name);
      if (integrity === undefined || !response.ok) return;
      const bytes = await response.arrayBuffer();
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      if (`sha256-${btoa(String.fromCharCode(...digest))}` !== integrity) return;
      const headers = {
        "Content-Type": response.headers.get("Content-Type") ?? "application/octet-stream",
        "Content-Length": String(bytes.byteLength),
      };
      await (await open()).put(address(name), new Response(bytes, { headers }));
    },
    async tidy() {
      const wanted = new Set([...known.keys()].map(address));
      const cache = await open();
      for (const { url } of await cache.keys()) if (!wanted.has(url)) await cache.delete(url);
    },
  };
}
