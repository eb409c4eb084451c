/** The sender of a request: the relevant part of a `Client`. */
export interface Sender {
  readonly type: string;
  readonly url: string;
  readonly frameType?: string;
}

/** Whether it is the app itself in its own tab or window: no frame, no worker, no other page. */
export function isAppPage(client: Sender | undefined, scope: URL): boolean {
  if (client?.type !== "window" || (client.frameType !== "top-level" && client.frameType !== "auxiliary")) return false;
  const url = new URL(client.url);
  return url.origin === scope.origin && (url.pathname === scope.pathname || url.pathname === `${scope.pathname}index.html`);
}
