import { render } from "solid-js/web";
import { startEngine } from "./engine-client/index.ts";
import { startOffline } from "./pwa/start.ts";
import { App } from "./shell/App.tsx";
import { EngineGate } from "./shell/EngineGate.tsx";
import { giveUpRemoval, removalWanted } from "./storage/removal.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no element with the id app");
const element = root;
// What stood there before the script had come.
element.replaceChildren();

function start() {
  void startOffline(startEngine());
  render(
    () => (
      <EngineGate>
        <App />
      </EngineGate>
    ),
    element,
  );
}

async function remove() {
  try {
    const { default: RemovalPage } = await import("./storage/RemovalPage.tsx");
    render(() => <RemovalPage />, element);
  } catch (error) {
    giveUpRemoval(error);
    start();
  }
}

if (removalWanted()) void remove();
else start();
