import * as t from "../texts/program-frames.ts";

/**
 * The frames of this page in which `node` runs programs. Each belongs to one dialog and has an opaque origin without access to anything. The page
 * sends it one message and receives none.
 */
const frames = new Map<number, HTMLIFrameElement>();
/** Frames that are still wanted, but not in the page yet. */
const opening = new Set<number>();

/** Creates a hidden frame for the programs of one dialog's commands, and gives it the shell's port; see `public/program/index.html`. */
export async function open(id: number, port: MessagePort): Promise<void> {
  opening.add(id);
  const address = new URL("program/index.html", document.baseURI).href;
  const byHeader = await comesShutOff(address);
  if (!opening.delete(id)) return;
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = t.title;
  // Set before the address. If its origin isn't opaque, the page in the frame starts nothing.
  if (!byHeader) frame.setAttribute("sandbox", "allow-scripts");
  // A cross-origin isolated page allows only frames that are isolated too or load without credentials.
  if (!byHeader && crossOriginIsolated) frame.setAttribute("credentialless", "");
  frame.setAttribute("referrerpolicy", "no-referrer");
  frame.src = address;
  // An opaque origin can't be named as the target. A page that loads there later gets no port: the message is sent only once.
  frame.addEventListener("load", () => frame.contentWindow?.postMessage("hello", "*", [port]), { once: true });
  frames.set(id, frame);
  document.body.append(frame);
}

/** Removes a frame, along with everything that runs in it. */
export function close(id: number): void {
  opening.delete(id);
  frames.get(id)?.remove();
  frames.delete(id);
}

export function closeAll(): void {
  opening.clear();
  for (const id of frames.keys()) close(id);
}

/**
 * Whether a service worker serves the frame's page with a policy that makes its origin opaque. A service worker never serves a frame with the sandbox
 * attribute, so that frame would need the host. If the page arrives without the policy after all, it does nothing; see `public/program/index.html`.
 */
async function comesShutOff(address: string): Promise<boolean> {
  if (!("serviceWorker" in navigator) || navigator.serviceWorker.controller === null) return false;
  try {
    const answer = await fetch(address);
    await answer.body?.cancel();
    return answer.ok && takesOrigin(answer.headers.get("Content-Security-Policy"));
  } catch (error) {
    console.info("The page for programs could not be requested.", error);
    return false;
  }
}

/** Whether a policy makes the origin opaque, like that of `public/_headers` for the page of programs. */
export const takesOrigin = (policy: string | null): boolean => /^sandbox allow-scripts(;|$)/.test(policy ?? "");
