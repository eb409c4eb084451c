import { afterEach, expect, test, vi } from "vitest";
import { soon } from "../../soon.ts";
import { createFileDrop } from "../../../src/app/dialogs/file-drop.ts";

afterEach(() => vi.unstubAllGlobals());

type Clipboard = { readonly files: readonly File[]; readonly types: readonly string[] };

/** A box for pasted pictures, with an engine that stores `files`. */
function open(refused: ReadonlySet<string> = new Set()) {
  const files = new Map<string, number>();
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    if (method === "GET") return Response.json([...files].map(([name, size]) => ({ path: name, size, mtime: 0 })));
    const name = decodeURIComponent(path.slice("deed/".length));
    // Storing takes longer than reading the next file.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve));
    const bytes = new Uint8Array(await new Response(body).arrayBuffer());
    if (refused.has(name)) return Response.json({ error: "There is no room." }, { status: 507 });
    files.set(name, bytes[0] ?? 0);
    return Response.json({ ok: true });
  });
  const words: string[] = [];
  const failed: (string | null)[] = [];
  let isBlocked = false;
  const heard = new Map<string, (event: object) => void>();
  const drop = createFileDrop({
    blocked: () => isBlocked,
    dialogId: () => "a",
    insert: (_, text) => void words.push(text),
    failed: (message) => void failed.push(message),
  });
  drop.listen({ addEventListener: (type: string, listener: () => void) => heard.set(type, listener) } as never);
  return {
    files,
    words,
    failed,
    drop,
    block: () => (isBlocked = true),
    paste: (...pasted: File[]) => {
      const clipboardData: Clipboard = { files: pasted, types: ["Files"] };
      heard.get("paste")?.({ clipboardData, preventDefault: () => undefined });
    },
  };
}
const picture = (content: number, name = "image.png") => new File([new Uint8Array([content, 0])], name);

test("of two pictures pasted one right after the other each is a file of its own", async () => {
  const { files, words, paste, drop } = open();
  // Load the code in advance, so that only the first picture delays the second.
  await import("../../../src/app/dialogs/attach.ts");
  paste(picture(1));
  paste(picture(2));
  await soon(() => expect(words).toHaveLength(2));
  expect([...files]).toEqual([
    ["image.png", 1],
    ["image-2.png", 2],
  ]);
  await soon(() => expect(drop.words()).toBe(null));
});

test("what went wrong with the first is still said when the second is taken", async () => {
  const { failed, words, paste } = open(new Set(["broken.png"]));
  paste(picture(1, "broken.png"));
  paste(picture(2));
  await soon(() => expect(words).toHaveLength(1));
  expect(failed).toEqual([null, expect.stringContaining("There is no room.")]);
});

test("nothing is pasted where nothing can be written", async () => {
  const { files, words, paste, block } = open();
  block();
  paste(picture(1));
  const other = open();
  other.paste(picture(2));
  await soon(() => expect(other.words).toHaveLength(1));
  expect([files.size, words]).toEqual([0, []]);
});
