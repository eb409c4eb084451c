import { afterEach, expect, test, vi } from "vitest";
import { soon } from "../../soon.ts";
import { watchFrame } from "../../../src/app/container-host/client.ts";

const made: HTMLIFrameElement[] = [];
afterEach(() => {
  for (const frame of made.splice(0)) frame.remove();
});

/** A frame like the one that the client creates. */
function clients(allow = "cross-origin-isolated"): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.style.display = "none";
  frame.setAttribute("allow", allow);
  frame.src = new URL("/net/index.html?at=/headless?version=1.6.4", location.origin).href;
  document.body.insertBefore(frame, null);
  made.push(frame);
  return frame;
}

const settled = (check: () => void) => soon(check);

test("the client's frame is known by what it is, and others are left alone", async () => {
  const watched = watchFrame(() => undefined);
  clients("camera");
  await new Promise((resolve) => setTimeout(resolve));
  expect(watched.state()).toBe("none");
  clients();
  await settled(() => expect(watched.state()).not.toBe("none"));
  await settled(() => expect(watched.state()).toBe("loaded"));
});

test("one that has not spoken is loaded anew; one that has is left", async () => {
  const watched = watchFrame(() => undefined);
  const frame = clients();
  let loads = 0;
  frame.addEventListener("load", () => loads++);
  await settled(() => expect(loads).toBe(1));
  watched.reload();
  expect(watched.state()).toBe("loading");
  await settled(() => expect(loads).toBe(2));
  const say = (source: Window | null, type: string) => window.dispatchEvent(new MessageEvent("message", { source, data: { type } }));
  say(window, "init");
  say(frame.contentWindow, "warning");
  expect(watched.state()).not.toBe("spoken");
  say(frame.contentWindow, "init");
  expect(watched.state()).toBe("spoken");
  watched.reload();
  expect(watched.state()).toBe("spoken");
});

test("taken out of the page it is told of once; another frame that goes is not", async () => {
  const removed = vi.fn<() => void>();
  const watched = watchFrame(removed);
  const other = clients("camera");
  const frame = clients();
  await settled(() => expect(watched.state()).not.toBe("none"));
  other.remove();
  await new Promise((resolve) => setTimeout(resolve));
  expect(removed).not.toHaveBeenCalled();
  frame.remove();
  await settled(() => expect(removed).toHaveBeenCalledOnce());
});
