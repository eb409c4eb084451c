import { type Accessor, createEffect, createSignal, on } from "solid-js";

/** The preview's page, relative to the app. */
export const previewPage = "preview/index.html";
/** What a previewed page may do; never `allow-same-origin`. The policy of /preview/* in public/_headers says the same. */
const allowed = "allow-scripts allow-forms allow-modals";

/**
 * What keeps a frame's origin opaque. `attribute`: the frame's own `sandbox`; such a frame is never served by a service worker, so
 * it needs the host. `header`: the `sandbox` directive that its document comes with, so that it opens without a network, too.
 */
export interface ShutOff {
  readonly by: "attribute" | "header";
  /** For the frame's `sandbox` attribute. */
  readonly sandbox: string | undefined;
}

/** Whether one of the policies (they come joined with commas) gives its document an opaque origin. */
export function isShutOff(policies: string | null): boolean {
  return (policies ?? "").split(",").some((policy) => {
    const directives = policy.split(";").map((directive) => directive.trim().toLowerCase().split(/\s+/));
    // Of a directive that stands there twice the first counts.
    const first = directives.find(([name]) => name === "sandbox");
    return first !== undefined && !first.includes("allow-same-origin");
  });
}

/** Asks the service worker that controls this page for the preview's page, as a frame without the attribute would. */
async function servedShutOff(): Promise<boolean> {
  if (!("serviceWorker" in navigator) || navigator.serviceWorker.controller === null) return false;
  try {
    const answer = await fetch(previewPage);
    await answer.body?.cancel();
    return answer.ok && isShutOff(answer.headers.get("Content-Security-Policy"));
  } catch (error) {
    console.info("The preview's page could not be asked for.", error);
    return false;
  }
}

/**
 * How to shut off the frame of this `load`; null until that is known. The attribute is left away only against a policy that just
 * came from the service worker. Should the frame's own answer still lack it, nothing is lost: the preview's host shows nothing
 * and is given no files unless its origin is opaque.
 */
export function createShutOff(load: Accessor<number>): Accessor<ShutOff | null> {
  const [shutOff, setShutOff] = createSignal<ShutOff | null>(null);
  createEffect(
    on(load, async (mine) => {
      const served = await servedShutOff();
      if (load() === mine) setShutOff(served ? { by: "header", sandbox: undefined } : { by: "attribute", sandbox: allowed });
    }),
  );
  return shutOff;
}

/**
 * In an isolated page a frame has to come with headers of its own, which the service worker gives it and the host may not. One that is not the
 * service worker's says that it does without credentials, and then needs none.
 */
export const withoutIsolation = ({ by }: ShutOff): { readonly credentialless?: true } =>
  by === "attribute" && crossOriginIsolated ? { credentialless: true } : {};
