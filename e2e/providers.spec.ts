// Where agents think: the settings of providers, and the provider and model of each message.
import { dialogs, expect, markdownOf, messageBox, newDialog, say, test } from "./steps.ts";
import { enterKey } from "./hands.ts";

const compatible = "OpenAI or compatible";

test("a server of one's own: saved, tested, and used by the next dialog without being asked for", async ({ app, openai }) => {
  const { page } = app;
  await app.open();
  await page.getByRole("button", { name: "Settings" }).click();
  const form = page.getByRole("dialog", { name: "Settings" });
  await form.getByRole("radio", { name: compatible }).check();
  await form.getByLabel("Address", { exact: true }).fill(openai.url);
  await expect(form.getByRole("combobox", { name: "Server" })).toHaveValue("");
  await form.getByLabel("API key").fill(openai.key);
  await form.getByLabel("Model", { exact: true }).fill("no-such-model");
  await form.getByRole("button", { name: "Test connection" }).click();
  await expect(form.locator("form.provider").getByRole("status")).toContainText("but not no-such-model. Choose another model.");
  await form.getByLabel("Model", { exact: true }).fill("gpt-5.5");
  await form.getByRole("button", { name: "Test connection" }).click();
  await expect(form.locator("form.provider").getByRole("status")).toHaveText(/^Connected\. \d+ models available\.$/);
  await expect(form.getByLabel("API key")).toHaveValue("");
  await form.getByRole("button", { name: "Close" }).click();

  const id = await newDialog(app, "work");
  const chosen = page.getByRole("combobox", { name: "Provider" }).locator("option:checked");
  await expect(chosen).toHaveText(new URL(openai.url).host);
  openai.play({ blocks: [{ text: "Hello from there." }] });
  await say(page, "Hello?");
  await expect(page.getByRole("article", { name: "Agent" })).toContainText("Hello from there.");
  expect(await markdownOf(app, id)).toContain("> Provider: openai | Model: gpt-5.5");
});

test("no server is asked for its models before its address is saved", { tag: "@long" }, async ({ app, openai }) => {
  const { page } = app;
  await app.open();
  await page.getByRole("button", { name: "Settings" }).click();
  const form = page.getByRole("dialog", { name: "Settings" });
  await form.getByRole("radio", { name: compatible }).check();
  await form.getByLabel("Address", { exact: true }).fill(openai.url);
  await form.getByLabel("API key").fill(openai.key);
  await form.getByLabel("Model", { exact: true }).focus();
  await form.getByRole("button", { name: "Save", exact: true }).focus();
  expect(openai.requests).toEqual([]);
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(form.locator("form.provider").getByRole("status")).toHaveText("Saved.");
  await form.getByLabel("Model", { exact: true }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(form.getByRole("listbox", { name: "Models" }).getByRole("option").first()).toBeVisible();
  expect(openai.requests.map(({ path }) => path)).toEqual(["/v1/models"]);
});

test("a known server is chosen from the list; one on this device says that it needs no key", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await page.getByRole("button", { name: "Settings" }).click();
  const form = page.getByRole("dialog", { name: "Settings" });
  await form.getByRole("radio", { name: compatible }).check();
  await expect(form.getByRole("combobox", { name: "Server" }).locator("option:checked")).toHaveText("OpenAI");
  await form.getByRole("combobox", { name: "Server" }).selectOption("LM Studio");
  await expect(form.getByLabel("Address", { exact: true })).toHaveValue("http://localhost:1234");
  await expect(form.getByText("no key needed")).toBeVisible();
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(form.locator("form.provider").getByRole("status")).toHaveText("Saved.");
  await form.getByRole("button", { name: "Close" }).click();
  await newDialog(app, "local");
  await expect(page.getByRole("combobox", { name: "Provider" }).locator("option:checked")).toHaveText("LM Studio");
  await expect(page.getByRole("button", { name: "Add a key" })).toHaveCount(0);
});

test("another provider takes over in mid-dialog, and nothing makes a fuss of it", { tag: "@long" }, async ({ app, claude, openai }) => {
  const { page } = app;
  await app.open();
  await enterKey(page, { provider: compatible, key: openai.key, address: openai.url, model: "gpt-5.5" });
  await enterKey(page, { key: claude.key, address: claude.url });
  const id = await newDialog(app, "two-minds");
  claude.play({ blocks: [{ text: "I say one." }] });
  await say(page, "Count.");
  await expect(page.getByRole("article", { name: "Agent" })).toContainText("I say one.");
  await page.getByRole("combobox", { name: "Provider" }).selectOption("openai");
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveAttribute("placeholder", "gpt-5.5");
  openai.play({ blocks: [{ text: "And I say two." }] });
  await say(page, "Go on.");
  await expect(page.getByRole("article", { name: "Agent" }).last()).toContainText("And I say two.");
  await expect(page.getByRole("article", { name: "Agent" }).last()).toContainText("gpt-5.5");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(messageBox(page)).toHaveAccessibleDescription("");
  expect(await markdownOf(app, id)).toMatch(/Provider: claude [^]*Provider: openai \| Model: gpt-5\.5/);
  // The next dialog uses the person's last choice.
  await newDialog(app, "next");
  await expect(page.getByRole("combobox", { name: "Provider" })).toHaveValue("openai");
  await expect(dialogs(page).getByRole("link")).toHaveCount(2);
});

test("without a key the way to the right form is one click", async ({ app }) => {
  const { page } = app;
  await app.open();
  await newDialog(app, "work");
  await page.getByRole("combobox", { name: "Provider" }).selectOption("openai");
  await expect(page.getByText("No API key for OpenAI yet.")).toBeVisible();
  await page.getByRole("button", { name: "Add a key" }).click();
  await expect(page.getByRole("dialog", { name: "Settings" }).getByRole("radio", { name: compatible })).toBeChecked();
});

test("the model is chosen from all of them with the keyboard alone, whatever is chosen already, and any other can be typed", {
  tag: "@long",
}, async ({ app, claude }) => {
  const { page } = app;
  await app.open();
  await enterKey(page, { key: claude.key, address: claude.url, model: "claude-sonnet-5-5" });
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  const field = settings.getByRole("combobox", { name: "Model", exact: true });
  const options = settings.getByRole("listbox", { name: "Models" }).getByRole("option");
  await expect(field).toHaveValue("claude-sonnet-5-5");
  await field.press("ArrowDown");
  const { models } = await app.json<{ models: string[] }>("GET", "provider/claude/models");
  await expect(options).toHaveText(models);
  await expect(settings.getByRole("option", { selected: true })).toHaveText("claude-sonnet-5-5");
  await expect(field).toHaveAttribute("aria-expanded", "true");
  const activeText = () =>
    field.evaluate((input) => document.getElementById(input.getAttribute("aria-activedescendant") ?? "")?.textContent ?? null);
  await expect.poll(activeText).toBe("claude-sonnet-5-5");

  // Escape closes the list and leaves the settings open.
  await field.press("Escape");
  await expect(options).toHaveCount(0);
  await expect(settings).toBeVisible();
  await field.press("ArrowDown");
  await field.press("ArrowDown");
  const next = models[(models.indexOf("claude-sonnet-5-5") + 1) % models.length] ?? "";
  await expect.poll(activeText).toBe(next);
  await field.press("Enter");
  await expect(field).toHaveValue(next);
  await expect(options).toHaveCount(0);

  // Typing narrows the list. A text that matches no model is kept as it is.
  await field.fill("HAIKU");
  await expect(options).toHaveText(models.filter((model) => model.includes("haiku")));
  await field.fill("my-own-model");
  await expect(settings.getByText("No matching models.")).toBeVisible();
  await field.press("Enter");
  await expect(settings.getByText("Saved.")).toBeVisible();
  expect((await app.json<{ model: string }>("GET", "provider/claude")).model).toBe("my-own-model");

  // The same in a dialog, with the mouse.
  await settings.getByRole("button", { name: "Close" }).click();
  await newDialog(app, "work");
  await page.getByRole("button", { name: "Show all models" }).click();
  const list = page.getByRole("listbox", { name: "Models" });
  await expect(list.getByRole("option")).toHaveText(models);
  await list.getByRole("option", { name: next, exact: true }).click();
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveValue(next);
  await expect(page.getByRole("combobox", { name: "Model" })).toBeFocused();
});

test("a key that is refused: one click leads to its settings, and trying again sends the same without a message of its own", async ({
  app,
  claude,
}) => {
  const { page } = app;
  await app.open();
  await enterKey(page, { key: "sk-ant-wrong-key-987654", address: claude.url });
  const id = await newDialog(app, "refused");
  await say(page, "Count.");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await page.getByRole("button", { name: "Check key and model…" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings.getByRole("radio", { name: "Claude" })).toBeChecked();
  await settings.getByLabel(/^API key/).fill(claude.key);
  await settings.getByRole("button", { name: "Save", exact: true }).click();
  await expect(settings.getByText("Saved.")).toBeVisible();
  await settings.getByRole("button", { name: "Close" }).click();
  claude.play({ blocks: [{ text: "One, two." }] });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("article", { name: "Agent" }).last()).toContainText("One, two.");
  expect((await markdownOf(app, id)).match(/^## User$/gm)).toHaveLength(1);
  const asked = claude.requests.filter(({ path }) => path === "/v1/messages").map(({ body }) => body.messages);
  expect(asked).toHaveLength(2);
  expect(asked[1]).toEqual(asked[0]);
});
