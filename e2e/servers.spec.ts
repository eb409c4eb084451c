import { say } from "../tests/stand-in/claude.ts";
import { expect, newDialog, openWithKey, putDeed, test } from "./steps.ts";

/** A server that an agent starts in the built-in shell, as a person sees it. */

const project: Readonly<Record<string, string>> = {
  "server.js": `const { createServer } = require("node:http");
const { readFileSync } = require("node:fs");
const types = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
let count = 0;
createServer((request, response) => {
  if (request.url === "/api/count") return response.end(String(++count));
  const name = request.url === "/" ? "index.html" : request.url.slice(1);
  response.setHeader("Content-Type", types[name.split(".").pop()]);
  response.end(readFileSync("site/" + name));
}).listen(3000);
`,
  "site/index.html":
    '<link rel="stylesheet" href="look.css"><h1>Shop</h1><img src="sign.svg" alt="Sign"><p id="out"></p><script src="main.js"></script>',
  "site/look.css": "h1 { color: rgb(1, 2, 3) }",
  "site/main.js":
    'fetch("/api/count").then((got) => got.text()).then((text) => (document.querySelector("#out").textContent = `Visit ${text}`));',
  "site/sign.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>',
};

test("is offered when it listens, shown in the preview, read again, and stopped", { tag: "@long" }, async ({ app, claude, page }) => {
  await openWithKey(app, claude);
  for (const [path, text] of Object.entries(project)) await putDeed(app, path, text);
  const id = await newDialog(app, "shop");
  claude.play(
    { blocks: [{ call: "run_command", id: "toolu_1", input: { command: "node server.js", background: true } }] },
    say("It runs."),
  );
  await app.ask("PUT", "dialog", { dialogId: id, prompt: "Go.", authorizations: ["run_command"] });
  await page.getByRole("button", { name: "Open localhost:3000" }).click();
  const preview = page.getByRole("region", { name: "Preview", exact: true });
  const shown = preview.frameLocator("iframe").frameLocator("iframe").last();
  await expect(shown.getByText("Visit 1", { exact: true })).toBeVisible();
  await expect(shown.getByRole("heading", { name: "Shop" })).toHaveCSS("color", "rgb(1, 2, 3)");
  await preview.getByRole("button", { name: "Reload" }).click();
  await expect(shown.getByText("Visit 2", { exact: true })).toBeVisible();

  const servers = preview.getByRole("region", { name: "Servers" });
  await expect(servers.getByRole("listitem")).toHaveText([/^Project pages$/, /^localhost:3000node server\.jsshopsince .*Stop$/]);
  // Shows the project's own page, and goes back.
  await servers.getByRole("button", { name: "Project pages" }).click();
  await expect(shown.getByText("Visit There is no api/count.", { exact: true })).toBeVisible();
  await servers.getByRole("button", { name: "Open localhost:3000" }).click();
  await expect(shown.getByText("Visit 3", { exact: true })).toBeVisible();
  await servers.getByRole("button", { name: "Stop the server on port 3000" }).click();
  await expect(servers.getByRole("listitem")).toHaveText([/^Project pages$/]);
  await preview.getByRole("button", { name: "Reload" }).click();
  await expect(shown.getByText("Nothing listens on port 3000 of this dialog")).toBeVisible();
});
