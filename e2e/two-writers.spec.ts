// Two agents write one file: neither overwrites the other's changes unknowingly, and the person sees what each was told.
import { startWire } from "../tests/stand-in/wire.ts";
import { expect, test } from "./app.ts";
import { approve, messages, panel, say } from "./hands.ts";
import { dialogs, newDialog, putDeed } from "./steps.ts";
import { expectDone, main, playTeam, write } from "./team.ts";

const read = { call: "run_command", input: { command: "cat story.txt" } };
const story = "Once there was a fox.\nIt slept.\n";
const byOne = "Once there was a red fox.\nIt slept.\n";
const byTwo = "Once there was a fox.\nIt ran.\n";
const byBoth = "Once there was a red fox.\nIt ran.\n";

test("the second to write a file is told what the first changed, and writes again", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  const wire = await startWire("messages");
  try {
    const team = playTeam(wire, {
      one: [{ text: "I read it.", calls: [read] }, { text: "The fox is red.", calls: [write("story.txt", byOne)] }, { text: "It is red." }],
      two: [
        { text: "I read it.", calls: [read] },
        { text: "The fox runs.", calls: [write("story.txt", byTwo)] },
        { text: "I take over the colour.", calls: [write("story.txt", byBoth)] },
        { text: "It is red, and runs." },
      ],
      three: [
        {
          text: "It shall end.",
          calls: [{ call: "edit_file", input: { path: "story.txt", old_string: "It slept.", new_string: "It slept well." } }],
        },
        { text: "Somebody was there." },
      ],
    });
    await app.open();
    await app.json("PUT", `provider/${wire.provider}`, { apiKey: wire.key, baseURL: wire.url, model: wire.model });
    await app.json("POST", "file/doc-main.md", { content: main("Authorized: run_command", "Revoked: write_file") });
    await putDeed(app, "story.txt", story);
    const open = async (name: string) => {
      await dialogs(page).getByRole("link", { name }).click();
      await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
    };
    for (const each of ["one", "two", "three"]) {
      await newDialog(app, each);
      await say(page, `${each}: begin.`);
      await expect(panel(page).getByRole("heading", { level: 2 })).toContainText("The agent wants to");
    }
    // Each has read the story and asks to write it; the first is approved.
    await open("one");
    await approve(page);
    await expect(messages(page)).toContainText("It is red.");
    expect(await app.file("story.txt")).toBe(byOne);

    // The second is approved, too, but the write is refused: the file has changed.
    await open("two");
    await approve(page);
    const refused = messages(page).locator("details", { hasText: "story.txt" }).filter({ hasText: "failed" });
    await refused.locator("summary").click();
    await expect(refused).toContainText("story.txt was changed by another agent (dialog ");
    await expect(refused).toContainText("nothing was written");
    await expect(refused).toContainText("+Once there was a red fox.");
    expect(await app.file("story.txt")).toBe(byOne);
    // The second asks again, with the current file.
    await expect(panel(page).locator(".diff")).toContainText("It ran.");
    await approve(page);
    await expect(messages(page)).toContainText("It is red, and runs.");
    expect(await app.file("story.txt")).toBe(byBoth);

    // The third's passage no longer exists.
    await open("three");
    await approve(page);
    const gone = messages(page).locator("details", { hasText: "story.txt" }).filter({ hasText: "failed" });
    await expect(gone).toContainText(
      /another agent \(dialog \S+-one\) and another agent \(dialog \S+-two\) changed story\.txt since you last saw it/,
    );
    expect(await app.file("story.txt")).toBe(byBoth);

    await expectDone(page, ["one", "two", "three"]);
    expect(team.problems).toEqual([]);
    expect(app.complaints).toEqual([]);
  } finally {
    await wire.close();
  }
});
