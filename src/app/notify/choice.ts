import { keep, kept, unkeep } from "../ui/keep.ts";

/** Whether the person wants to be told while Vibey is out of sight. Kept on this device; the browser's own permission comes on top. */

const key = "vibey notify";

export type NotifyState = "on" | "off" | "refused" | "impossible";

export function notifyState(): NotifyState {
  if (!("Notification" in window)) return "impossible";
  if (kept(key) !== "on") return "off";
  return Notification.permission === "granted" ? "on" : "refused";
}

/** Turns it on, which the browser may ask about, or off. Only from a click: a browser asks no one else. */
export async function chooseNotify(on: boolean): Promise<NotifyState> {
  if (!("Notification" in window)) return "impossible";
  if (!on) unkeep(key);
  else {
    keep(key, "on");
    if (Notification.permission === "default") await Notification.requestPermission();
  }
  return notifyState();
}
