import { createSignal, onCleanup } from "solid-js";

/** What the page shows, as it stands in the URL after `#`, so that reload, back and bookmarks work. */
export type Route = { readonly tab: "docs"; readonly file: FileRef | null } | { readonly tab: "dialogs"; readonly dialogId: string | null };

export type FileRef = { readonly kind: "doc"; readonly name: string } | { readonly kind: "deed"; readonly path: string };

/** The route of a hash. Whatever is not understood is the Docs tab, with nothing open. */
export function parseRoute(hash: string): Route {
  const [tab = "", ...rest] = hash.replace(/^#\/?/, "").split("/").map(decode);
  const name = rest.join("/");
  if (tab === "dialogs") return { tab, dialogId: name === "" ? null : name };
  if (tab === "deed" && name !== "") return { tab: "docs", file: { kind: "deed", path: name } };
  if (tab === "docs" && name !== "") return { tab, file: { kind: "doc", name } };
  return { tab: "docs", file: null };
}

export function formatRoute(route: Route): string {
  if (route.tab === "dialogs") return route.dialogId === null ? "#/dialogs" : `#/dialogs/${encodeURIComponent(route.dialogId)}`;
  if (route.file === null) return "#/docs";
  if (route.file.kind === "doc") return `#/docs/${encodeURIComponent(route.file.name)}`;
  return `#/deed/${route.file.path.split("/").map(encodeURIComponent).join("/")}`;
}

export const fileKey = (ref: FileRef) => (ref.kind === "doc" ? `doc:${ref.name}` : `deed:${ref.path}`);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

export function createRoute(start: Route) {
  const initial = location.hash === "" ? start : parseRoute(location.hash);
  const [route, setRoute] = createSignal<Route>(initial);
  /** Where each tab was left, so that going back to it shows the same. */
  const last: { [Tab in Route["tab"]]: Route } = {
    docs: start.tab === "docs" ? start : { tab: "docs", file: null },
    dialogs: { tab: "dialogs", dialogId: null },
  };
  const take = () => {
    const next = location.hash === "" ? start : parseRoute(location.hash);
    last[next.tab] = next;
    setRoute(next);
  };
  last[initial.tab] = initial;
  addEventListener("hashchange", take);
  onCleanup(() => removeEventListener("hashchange", take));
  return {
    route,
    last: (tab: Route["tab"]) => last[tab],
    go(next: Route) {
      if (formatRoute(next) !== location.hash) location.hash = formatRoute(next);
    },
    /** Goes on without a step that "back" would return to: for what no longer exists. */
    replace(next: Route) {
      history.replaceState(null, "", formatRoute(next));
      take();
    },
  };
}
export type Router = ReturnType<typeof createRoute>;
