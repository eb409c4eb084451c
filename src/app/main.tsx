import { lazy } from "solid-js";
import { render } from "solid-js/web";
import { startEngine } from "./engine-client/index.ts";
import { startOffline } from "./pwa/start.ts";
import { App } from "./shell/App.tsx";
import { EngineGate } from "./shell/EngineGate.tsx";
import { removalWanted } from "./storage/removal.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no element with the id app");
const RemovalPage = lazy(() => import("./storage/RemovalPage.tsx"));
if (removalWanted()) render(() => <RemovalPage />, root);
else {
  void startOffline(startEngine());
  render(
    () => (
      <EngineGate>
        <App />
      </EngineGate>
    ),
    root,
  );
}
