import * as t from "../texts/program-frames.ts";

/**
 * The frames of this page in which `node` runs programs. Each has an origin of its own, which reaches nothing, and belongs to one dialog; the page
 * says one word to it and hears nothing of it.
 */
const frames = new Map<number, HTMLIFrameElement>();
/** Those that are not there yet, and still wanted. */
const opening = new Set<number>();

/** Makes a hidden frame for the programs of one dialog's commands, and gives it the shell's port; see `public/program/index.html`. */
export async function open(id: number, port: MessagePort): Promise<void> {
  opening.add(id);
  const address = new URL("program/index.html", document.baseURI).href;
  const byHeader = await comesShutOff(address);
  if (!opening.delete(id)) return;
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = t.title;
  // Before its address. Without an origin of its own the page there starts nothing.
  if (!byHeader) frame.setAttribute("sandbox", "allow-scripts");
  // An isolated page has only frames that are isolated too, or come without credentials.
  if (!byHeader && crossOriginIsolated) frame.setAttribute("credentialless", "");
  frame.setAttribute("referrerpolicy", "no-referrer");
  frame.src = address;
  // An origin that is none can't be named; whatever else is loaded there finds no port in a second word.
  frame.addEventListener("load", () => frame.contentWindow?.postMessage("hello", "*", [port]), { once: true });
  frames.set(id, frame);
  document.body.append(frame);
}

/** Takes it away, with all that runs in it. */
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
 * Whether a service worker gives the frame's page with a policy that takes its origin away. A frame with the attribute is never served by one, and would need
 * the host. Should the page come without the policy after all, it does nothing; see `public/program/index.html`.
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

/** Whether a policy is that of `public/_headers` for the page of programs, which takes its origin away. */
export const takesOrigin = (policy: string | null): boolean => /^sandbox allow-scripts(;|$)/.test(policy ?? "");
