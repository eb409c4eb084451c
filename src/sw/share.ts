import { type Inbox, openInbox } from "../app/share/inbox.ts";

/** The last part of the address to which the system posts what is shared with Vibey; `public/manifest.webmanifest` names it and its fields. */
const shareName = "share";

/** What the page opens with: `shared`, or `shared-full` when it could not be kept. */
const opens = (kind: "shared" | "shared-full", scope: URL): Response => Response.redirect(`${scope.href}#/${kind}`, 303);

/** In a tab of its own: what a frame posts no one would see. */
export const isShare = (
  { method, mode, destination, url }: Pick<Request, "method" | "mode" | "destination" | "url">,
  scope: URL,
): boolean =>
  method === "POST" && mode === "navigate" && destination === "document" && new URL(url).pathname === `${scope.pathname}${shareName}`;

/**
 * Keeps what was shared until the person has said what becomes of it, and opens the page. Any site can post here: whatever comes is
 * offered and nothing more. The page opens whatever goes wrong, and says that it was not kept.
 */
export async function takeShare(request: Request, scope: URL, open: () => Promise<Inbox> = openInbox): Promise<Response> {
  try {
    return opens((await keep(request, open)) ? "shared" : "shared-full", scope);
  } catch (error) {
    console.error(error);
    return opens("shared-full", scope);
  }
}

/** False: there was no room for it. Rejects when it can't be read, or the storage refuses. */
async function keep(request: Request, open: () => Promise<Inbox>): Promise<boolean> {
  const form = await request.formData();
  const field = (name: string): string => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const files = form.getAll("files").filter((value): value is File => value instanceof File && value.size > 0);
  const text = [field("text"), field("url")].filter((part) => part !== "").join("\n\n");
  if (text === "" && field("title") === "" && files.length === 0) return true;
  const inbox = await open();
  try {
    return await inbox.put({ title: field("title"), text, files });
  } finally {
    inbox.close();
  }
}
