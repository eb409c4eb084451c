import { openInbox } from "../app/share/inbox.ts";

/** The last part of the address to which the system posts what is shared with Vibey; `public/manifest.webmanifest` names it and its fields. */
const shareName = "share";

/** What the page opens with: `shared`, or `shared-full` when there was no room for it. */
const opens = (kind: "shared" | "shared-full", scope: URL): Response => Response.redirect(`${scope.href}#/${kind}`, 303);

export const isShare = (request: Request, scope: URL): boolean =>
  request.method === "POST" && request.mode === "navigate" && new URL(request.url).pathname === `${scope.pathname}${shareName}`;

/**
 * Keeps what was shared until the person has said what becomes of it, and opens the page. Any site can post here: whatever comes is
 * offered and nothing more.
 */
export async function takeShare(request: Request, scope: URL): Promise<Response> {
  const form = await request.formData();
  const field = (name: string): string => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const files = form.getAll("files").filter((value): value is File => value instanceof File && value.size > 0);
  const text = [field("text"), field("url")].filter((part) => part !== "").join("\n\n");
  if (text === "" && field("title") === "" && files.length === 0) return opens("shared", scope);
  const inbox = await openInbox();
  try {
    return opens((await inbox.put({ title: field("title"), text, files })) ? "shared" : "shared-full", scope);
  } finally {
    inbox.close();
  }
}
