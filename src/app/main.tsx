import { render } from "solid-js/web";
import { startEngine } from "./engine-client/index.ts";
import { startOffline } from "./pwa/start.ts";
import { App } from "./shell/App.tsx";
import { EngineGate } from "./shell/EngineGate.tsx";

void startOffline(startEngine());
const root = document.getElementById("app");
if (root === null) throw new Error("the page has no element with the id app");
render(
  () => (
    <EngineGate>
      <App />
    </EngineGate>
  ),
  root,
);
