import { type Inbox, openInbox } from "../app/share/inbox.ts";

/**
 * The last part of the address to which the system posts what is shared with Vibey. `public/manifest.webmanifest` has this name and the names of the
 * fields.
 */
const shareName = "share";

/** The page's start route: `shared`, or `shared-full` if the share could not be stored. */
const opens = (kind: "shared" | "shared-full", scope: URL): Response => Response.redirect(`${scope.href}#/${kind}`, 303);

/** Only in its own tab: no one would see a post in a frame. */
export const isShare = (
  { method, mode, destination, url }: Pick<Request, "method" | "mode" | "destination" | "url">,
  scope: URL,
): boolean =>
  method === "POST" && mode === "navigate" && destination === "document" && new URL(url).pathname === `${scope.pathname}${shareName}`;

/**
 * Stores what was shared until the user has decided what to do with it, and opens the page. Any site can post here, so the content is only offered to
 * the user. The page always opens, and says if the content was not stored.
 */
export async function takeShare(request: Request, scope: URL, open: () => Promise<Inbox> = openInbox): Promise<Response> {
  try {
    return opens((await keep(request, open)) ? "shared" : "shared-full", scope);
  } catch (error) {
    console.error(error);
    return opens("shared-full", scope);
  }
}

/** False: there was no space for it. Rejects if the content can't be read or the storage refuses. */
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
