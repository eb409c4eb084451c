import { type Accessor, createSignal } from "solid-js";
import { onChange } from "../ui/on-change.ts";

/** The preview's page, relative to the app. */
export const previewPage = "preview/index.html";
/** What a previewed page may do; never `allow-same-origin`. The policy of /preview/* in public/_headers says the same. */
const allowed = "allow-scripts allow-forms allow-modals";

/**
 * What makes a frame's origin opaque. `attribute`: the frame's `sandbox` attribute; a service worker never serves such a frame, so it needs the host.
 * `header`: the `sandbox` directive of its document; such a frame also opens offline.
 */
export interface ShutOff {
  readonly by: "attribute" | "header";
  /** For the frame's `sandbox` attribute. */
  readonly sandbox: string | undefined;
  /** Whether the document comes with a `Connection-Allowlist` that names no host but its own. */
  readonly listed: boolean;
}

/** Whether one of the policies (joined with commas) gives its document an opaque origin. */
export function isShutOff(policies: string | null): boolean {
  return (policies ?? "").split(",").some((policy) => {
    const directives = policy.split(";").map((directive) => directive.trim().toLowerCase().split(/\s+/));
    // If a directive is repeated, the first one counts.
    const first = directives.find(([name]) => name === "sandbox");
    return first !== undefined && !first.includes("allow-same-origin");
  });
}

/** Whether the browser is told to connect to no host but the document's. */
export const isListed = (allowlist: string | null): boolean => /^\(\s*(response-origin)?\s*\)$/.test(allowlist?.trim() ?? "");

/** Requests the preview's page from the service worker that controls this page, as a frame without the attribute would, or else from the host. */
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
 * How to shut off the frame of this `load`; null until that is known. The attribute is left out only if the service worker has just sent the policy.
 * If the frame's own answer lacks the policy after all, nothing is lost: the preview's page shows nothing and gets no files unless its origin is
 * opaque.
 */
export function createShutOff(load: Accessor<number>): Accessor<ShutOff | null> {
  const [shutOff, setShutOff] = createSignal<ShutOff | null>(null);
  onChange(load, async (mine) => {
    const answer = await served();
    if (load() === mine) setShutOff(answer);
  });
  return shutOff;
}

/** For the frame's `allow` attribute, the same as in the Permissions-Policy of /preview/*: features that could send something to a host. */
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
 * In a cross-origin isolated page, a frame needs headers of its own. The service worker sets them; the host may not. A frame that the service worker
 * doesn't serve is loaded without credentials, and then needs no such headers.
 */
export const withoutIsolation = ({ by }: ShutOff): { readonly credentialless?: true } =>
  by === "attribute" && crossOriginIsolated ? { credentialless: true } : {};
