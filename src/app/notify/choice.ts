import { keep, kept, unkeep } from "../ui/keep.ts";

/** Whether the user wants notifications while Vibey is out of view. Saved on this device; the browser's own permission is also needed. */

const key = "vibey notify";

export type NotifyState = "on" | "off" | "refused" | "impossible";

export function notifyState(): NotifyState {
  if (!("Notification" in window)) return "impossible";
  if (kept(key) !== "on") return "off";
  return Notification.permission === "granted" ? "on" : "refused";
}

/** Turns notifications on, for which the browser may ask, or off. Only call it from a click: otherwise browsers don't ask. */
export async function chooseNotify(on: boolean): Promise<NotifyState> {
  if (!("Notification" in window)) return "impossible";
  if (!on) unkeep(key);
  else {
    keep(key, "on");
    if (Notification.permission === "default") await Notification.requestPermission();
  }
  return notifyState();
}
