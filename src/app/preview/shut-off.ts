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
  /** Whether the document comes with a `Connection-Allowlist` that names no host but its own. */
  readonly listed: boolean;
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

/** Whether the browser is told to connect to no host but the one that the document came from. */
export const isListed = (allowlist: string | null): boolean => /^\(\s*(response-origin)?\s*\)$/.test(allowlist?.trim() ?? "");

/** Asks for the preview's page: the service worker that controls this page, as a frame without the attribute would, or else the host. */
async function served(): Promise<ShutOff> {
  const byAttribute = { by: "attribute", sandbox: allowed, listed: false } as const;
  const controlled = "serviceWorker" in navigator && navigator.serviceWorker.controller !== null;
  try {
    const answer = await fetch(previewPage);
    await answer.body?.cancel();
    const listed = answer.ok && isListed(answer.headers.get("Connection-Allowlist"));
    if (!controlled) return { ...byAttribute, listed };
    // A frame with the attribute comes from the host, whose headers are not known here.
    if (!answer.ok || !isShutOff(answer.headers.get("Content-Security-Policy"))) return byAttribute;
    return { by: "header", sandbox: undefined, listed };
  } catch (error) {
    console.info("The preview's page could not be requested.", error);
    return byAttribute;
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
      const answer = await served();
      if (load() === mine) setShutOff(answer);
    }),
  );
  return shutOff;
}

/** For the frame's `allow` attribute, as the Permissions-Policy of /preview/* says it: features that could send something to a host. */
export const allowedFeatures = [
  "browsing-topics",
  "identity-credentials-get",
  "payment",
  "private-state-token-issuance",
  "private-state-token-redemption",
  "storage-access",
]
  .map((feature) => `${feature} 'none'`)
  .join("; ");

/**
 * In an isolated page a frame has to come with headers of its own, which the service worker gives it and the host may not. One that is not the
 * service worker's says that it does without credentials, and then needs none.
 */
export const withoutIsolation = ({ by }: ShutOff): { readonly credentialless?: true } =>
  by === "attribute" && crossOriginIsolated ? { credentialless: true } : {};
