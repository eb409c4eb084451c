import { createMemo } from "solid-js";
import type { createRoute, Tab } from "./route.ts";

/** What the route shows. Each accessor returns its own page's place, and null or false while another page shows. */
export function createShown(router: ReturnType<typeof createRoute>) {
  /** Null while a page that belongs to no tab shows. */
  const tab = createMemo((): Tab | null => {
    const now = router.route().tab;
    return now === "docs" || now === "dialogs" ? now : null;
  });
  const file = createMemo(() => {
    const route = router.route();
    return route.tab === "docs" ? route.file : null;
  });
  const dialog = createMemo(() => {
    const route = router.route();
    return route.tab === "dialogs" ? route : null;
  });
  const historyPage = createMemo(() => {
    const route = router.route();
    return route.tab === "history" && route;
  });
  const cost = createMemo(() => {
    const route = router.route();
    return route.tab === "cost" && route.page;
  });
  const welcome = createMemo(() => router.route().tab === "welcome");
  const agents = createMemo(() => {
    const route = router.route();
    return route.tab === "agents" && route.graph === undefined && route;
  });
  const graph = createMemo(() => {
    const route = router.route();
    return route.tab === "agents" && (route.graph ?? false);
  });
  const stations = createMemo(() => router.route().tab === "stations");
  return { tab, file, dialog, historyPage, cost, agents, graph, stations, welcome };
}

export type Shown = ReturnType<typeof createShown>;
