const name = "vibey isolation";

/** Loads all open pages of the app again, this one last: they are isolated, or no more, together. */
export function reloadTabs(): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage("reload");
  channel.close();
  location.reload();
}

/** Heeds the same in another tab. Returns the way to stop. */
export function heedReload(): () => void {
  const channel = new BroadcastChannel(name);
  channel.addEventListener("message", () => location.reload());
  return () => channel.close();
}
