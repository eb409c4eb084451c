const name = "vibey isolation";

/** Reloads all open pages of the app, this one last, so that they all become isolated, or stop being isolated, together. */
export function reloadTabs(): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage("reload");
  channel.close();
  location.reload();
}

/** Reloads this tab when another tab asks for it. Returns a function that stops this. */
export function heedReload(): () => void {
  const channel = new BroadcastChannel(name);
  channel.addEventListener("message", () => location.reload());
  return () => channel.close();
}
