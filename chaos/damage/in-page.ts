/** Functions that run in a page of the origin without Vibey. Each is self-contained: it is sent to the page as text. */

/** Changes records of the project's database. */
export async function damageRecords(what: string): Promise<void> {
  const victim = "vibey/doc-1.md";
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(new Error(`${what}: ${request.error?.message ?? "failed"}`)));
    });
  if (what === "delete database") return void (await done(indexedDB.deleteDatabase("vibey-project")));
  if (what === "delete settings") return void (await done(indexedDB.deleteDatabase("vibey-settings")));
  const db = await done(indexedDB.open("vibey-project"));
  const tx = db.transaction(db.objectStoreNames, "readwrite", { durability: "strict" });
  const complete = new Promise<void>((resolve, reject) => {
    tx.addEventListener("complete", () => resolve());
    tx.addEventListener("abort", () => reject(new Error(`${what} was aborted`)));
  });
  const [names, pieces] = [tx.objectStore("names"), tx.objectStore("pieces")];
  if (what === "empty database") for (const store of db.objectStoreNames) tx.objectStore(store).clear();
  else if (what === "empty names") names.clear();
  else if (what === "empty pieces") pieces.clear();
  else if (what === "remove record") names.delete(victim);
  else {
    const { id } = (await done(names.get(victim))) as { id: number };
    const range = IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY]);
    const [key] = await done(pieces.getAllKeys(range));
    const [bytes] = (await done(pieces.getAll(range))) as Uint8Array[];
    if (key === undefined || bytes === undefined) throw new Error(`${victim} has no piece`);
    if (what === "remove piece") pieces.delete(key);
    else if (what === "change piece")
      pieces.put(
        Uint8Array.from(bytes, (byte, at) => (at === 3 ? byte ^ 1 : byte)),
        key,
      );
    else throw new Error(`no such damage: ${what}`);
  }
  await complete;
  db.close();
}

/** Changes the files of the backup. */
export async function damageCopy(what: string): Promise<void> {
  const root = await navigator.storage.getDirectory();
  if (what === "delete copy") return root.removeEntry("vibey-project-copy", { recursive: true });
  const folder = await root.getDirectoryHandle("vibey-project-copy");
  if (what === "delete note") return folder.removeEntry("written");
  for await (const name of folder.keys()) {
    if (!name.startsWith("generation-")) continue;
    const handle = await folder.getFileHandle(name);
    const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
    const half = Math.floor(bytes.length / 2);
    const file = await handle.createWritable();
    if (what === "cut copy") await file.write(bytes.slice(0, half));
    else await file.write(Uint8Array.from(bytes, (byte, at) => (at >= half && at < half + 9 ? byte ^ 0xff : byte)));
    await file.close();
  }
}

/** The checksum of each file of the backup. */
export async function sumsOfCopy(): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  const root = await navigator.storage.getDirectory();
  for await (const top of root.keys()) {
    if (top !== "vibey-project-copy") continue;
    const folder = await root.getDirectoryHandle(top);
    for await (const name of folder.keys()) {
      if (!name.startsWith("generation-")) continue;
      const bytes = await (await (await folder.getFileHandle(name)).getFile()).arrayBuffer();
      sums[name] = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].join(" ");
    }
  }
  return sums;
}

export interface Asked {
  readonly why: string;
  readonly opened: { readonly docs: number; readonly dialogs: number } | null;
  readonly copies: readonly { readonly generation: number; readonly docs: number }[];
  readonly remembered: object | null;
}

/** In Vibey's page: the question to the user after the backup was compared, or null if there is none; and the files that have lost bytes. */
export async function whatIsAsked(): Promise<{ readonly asked: Asked | null; readonly lostBytes: readonly string[] }> {
  for (let tries = 0; tries < 400; tries++) {
    const recovery = await fetch("recovery");
    if (recovery.status === 200) return { asked: (await recovery.json()) as Asked, lostBytes: [] };
    const copy = await fetch("copy");
    if (copy.status === 200) {
      const { kept, trouble, damaged } = (await copy.json()) as { kept: object | null; trouble: string | null; damaged: readonly string[] };
      if (kept !== null && trouble === null) return { asked: null, lostBytes: damaged };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("neither the copy nor the recovery is ready");
}

/** In Vibey's page: sends the user's choice and returns the last event of the answer. */
export async function choose(body: object): Promise<string> {
  const response = await fetch("recovery", { method: "POST", body: JSON.stringify(body) });
  const last = (await response.text()).trim().split("\n\n").at(-1) ?? "";
  return last.replace(/^data: /, "");
}

/** In Vibey's page: the texts of everything readable, by name. */
export async function readAll(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name of (await (await fetch("files")).json()) as string[]) {
    const response = await fetch(`file/${name}`);
    if (response.ok) texts[name] = ((await response.json()) as { content: string }).content;
  }
  for (const { dialogId, filename } of (await (await fetch("dialogs")).json()) as { dialogId: string; filename: string }[]) {
    const response = await fetch(`dialog/${dialogId}`);
    if (response.ok) texts[filename] = ((await response.json()) as { markdown: string }).markdown;
  }
  return texts;
}

/** In Vibey's page: writes docs and dialogs, and waits until the backup has all of them. */
export async function write({ from, to, word }: { from: number; to: number; word: string }): Promise<void> {
  const ok = async (method: string, path: string, body: unknown): Promise<void> => {
    const response = await fetch(path, { method, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${await response.text()}`);
  };
  const began = Date.now();
  for (let n = from; n <= to; n++) await ok("POST", `file/doc-${n}.md`, { content: `${word} ${n}\n`.repeat(200) });
  // The first doc changes in every part, so that its text shows which state it is from.
  await ok("POST", "file/doc-1.md", { content: `${word} 1, last of ${to}\n`.repeat(200) });
  for (const nth of [1, 2]) await ok("POST", "dialog/new", { provider: "demo", slug: `${word}-${nth}` });
  for (let tries = 0; tries < 400; tries++) {
    const { kept } = (await (await fetch("copy")).json()) as { kept: { at: number } | null };
    if (kept && kept.at > began && tries > 30) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the second copy was not written");
}
