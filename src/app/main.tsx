import type { JSX } from "solid-js";
import { render } from "solid-js/web";
import { startEngine } from "./engine-client/index.ts";
import { App } from "./frame/App.tsx";
import { EngineGate } from "./frame/EngineGate.tsx";
import { giveUpRemoval, removalWanted } from "./storage/removal.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no element with the id app");
const element = root;

async function start() {
  const started = startEngine();
  // Split into two shorter tasks, so that a slow phone can handle a tap between them.
  await new Promise((resolve) => setTimeout(resolve, 0));
  show(() => (
    <EngineGate>
      <App />
    </EngineGate>
  ));
  try {
    const { startOffline } = await import("./pwa/start.ts");
    await startOffline(started);
  } catch (error) {
    // A browser without storage (a private window, for example) refuses. The app still works there while there is a network.
    console.info("No offline use here.", error);
  }
}

/** Replaces what the page showed before the script loaded. */
function show(page: () => JSX.Element) {
  element.replaceChildren();
  render(page, element);
}

async function remove() {
  document.documentElement.dataset["place"] = "app";
  try {
    const { default: RemovalPage } = await import("./storage/RemovalPage.tsx");
    show(() => <RemovalPage />);
  } catch (error) {
    giveUpRemoval(error);
    await start();
  }
}

if (removalWanted()) void remove();
else void start();
