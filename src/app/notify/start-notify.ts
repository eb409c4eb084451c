import { createRoot } from "solid-js";
import { visible } from "../calls/visible.ts";
import { doing } from "../dialogs/groups.ts";
import type { DialogList } from "../dialogs/list.ts";
import { slugOf } from "../docs/names.ts";
import { currentProject } from "../model/current-project.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/notify.ts";
import { notifyState } from "./choice.ts";
import { newlyWaiting, remindedOf, waitingNow } from "./waiting.ts";
import { onChange } from "../ui/on-change.ts";

/** A shared lock, held by every visible tab of this project. While it is held, the user can see for themselves. */
const seenLock = () => `vibey in sight ${currentProject()}`;

/**
 * Notifies the user of dialogs that begin to wait while no tab of the project is visible, and sets the number on the app's icon. All tabs send the
 * same notification, which the browser shows once. Returns a function that stops it.
 */
export function startNotify(list: DialogList, open: (dialogId: string) => void): () => void {
  return createRoot((dispose) => {
    const stopHolding = holdWhileSeen();
    let before = waitingNow(list.dialogs());
    onChange(
      list.dialogs,
      (dialogs) => {
        const news = newlyWaiting(before, dialogs);
        before = waitingNow(dialogs);
        if (news.length > 0) void tell(news, open).catch((error: unknown) => console.error(error));
      },
      { defer: true },
    );
    const stopReminding = remind(list, open);
    onChange(list.waiting, (count) => void setBadge(count));
    return () => {
      stopReminding();
      stopHolding();
      dispose();
    };
  });
}

/** Repeats the notification of a request while it waits, as often as the agent's file says. It never decides. */
function remind(list: DialogList, open: (dialogId: string) => void): () => void {
  const timers = new Map<string, ReturnType<typeof setInterval>>();
  onChange(list.dialogs, (dialogs) => {
    const wanted = remindedOf(dialogs);
    for (const [dialogId, timer] of timers) {
      if (wanted.has(dialogId)) continue;
      clearInterval(timer);
      timers.delete(dialogId);
    }
    for (const [dialogId, ms] of wanted) {
      if (timers.has(dialogId)) continue;
      const again = () => {
        const one = list.dialogs().filter((dialog) => dialog.dialogId === dialogId);
        void tell(one, open).catch((error: unknown) => console.error(error));
      };
      timers.set(dialogId, setInterval(again, ms));
    }
  });
  return () => timers.forEach((timer) => clearInterval(timer));
}

async function tell(news: ReturnType<typeof newlyWaiting>, open: (dialogId: string) => void): Promise<void> {
  if (document.visibilityState === "visible" || notifyState() !== "on" || (await isSeen())) return;
  for (const { dialogId, status, activity, waitingFor } of news) {
    await show(dialogId, t.dialogWaits(visible(slugOf(dialogId)), doing(status, activity, waitingFor)), open);
  }
}

async function isSeen(): Promise<boolean> {
  const { held } = await navigator.locks.query();
  return held?.some(({ name }) => name === seenLock()) ?? false;
}

/** In browsers where pages can't show notifications (on phones), the service worker shows it and leads back here. */
async function show(dialogId: string, title: string, open: (dialogId: string) => void): Promise<void> {
  // The same dialog may cause another notification.
  const options = { renotify: true, tag: `${currentProject()} ${dialogId}`, body: t.sender, icon: "icon-192.png" };
  try {
    const notification = new Notification(title, options);
    notification.addEventListener("click", () => {
      window.focus();
      notification.close();
      open(dialogId);
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const registration = await navigator.serviceWorker.getRegistration("./");
    await registration?.showNotification(title, { ...options, data: { hash: formatRoute({ tab: "dialogs", dialogId }) } });
  }
}

function holdWhileSeen(): () => void {
  let release: (() => void) | null = null;
  const look = () => {
    if (document.visibilityState !== "visible") {
      release?.();
      release = null;
    } else if (release === null) {
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      void navigator.locks.request(seenLock(), { mode: "shared" }, () => held);
    }
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    release?.();
  };
}

/** Browsers without app badges, and pages that aren't installed, show none. The title contains the number in any case. */
async function setBadge(count: number): Promise<void> {
  if (!("setAppBadge" in navigator)) return;
  try {
    await (count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count));
  } catch (error) {
    console.info("The number on the app's icon could not be set.", error);
  }
}
