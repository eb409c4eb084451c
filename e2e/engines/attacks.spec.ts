import { choose, damageRecords, readAll, sumsOfCopy, whatIsAsked, write } from "../../chaos/damage/in-page.ts";
import { plants } from "../../tests/shell/isolation.ts";
import type { ClaudeStandIn } from "../../tests/stand-in/claude.ts";
import { isWhole } from "../campaign.ts";
import { listenForRequests, lookForPlants, reaching, some } from "../isolation-tables.ts";
import { dialogForCommands, runIn, useKey } from "./commands.ts";
import type { Tab } from "./engine.ts";
import { askJson, button, click, heading, inPage, see, shows, type Target, write as writeInto } from "./hands.ts";
import { expect, test } from "./test.ts";

/** The attacks of the campaigns in Chromium, in Firefox and WebKit: on isolation, on the network, on stored data, and on what an approval shows. */

const minutes = (count: number): void => test.setTimeout(count * 60_000);

test("what one dialog's command leaves behind is met by no other dialog", { tag: "@long" }, async ({ open, claude }) => {
  minutes(isWhole ? 60 : 10);
  const tab = await open();
  await useKey(tab, claude);
  const ids = { a: await dialogForCommands(tab, "plants"), b: await dialogForCommands(tab, "looks") };
  const { looks, failures } = await lookForPlants(some(plants), (dialog, commands) => runIn(tab, claude, ids[dialog], commands));
  expect(failures).toEqual([]);
  expect(looks).toBe(2 * some(plants).length);
});

/** Tries every way from a program to code made of text. Returns what a server on this machine was asked for. */
async function askedOfServer(tab: Tab, claude: ClaudeStandIn): Promise<readonly string[]> {
  const { host, heard, close } = await listenForRequests();
  await useKey(tab, claude);
  const dialogId = await dialogForCommands(tab, "reaches");
  // Node's own fetch asks the user, so deny the host in advance.
  await askJson(tab, "PUT", "dialog", { dialogId, network: [{ host, allow: false }] });
  const { commands, reached } = reaching(host);
  const ran = await runIn(tab, claude, dialogId, commands);
  expect(ran).toHaveLength(commands.length);
  expect(reached(ran)).toEqual([]);
  // Anything sent earlier has arrived before this.
  await fetch(`http://${host}/alive`);
  close();
  return heard;
}

for (const headers of [true, false])
  test(`no way from a program to code made of text, nor to a server, on a host ${headers ? "with" : "without"} headers`, {
    tag: "@long",
  }, async ({ open, claude, startAnother }) => {
    minutes(isWhole ? 30 : 10);
    expect(await askedOfServer(await open("", await startAnother({ headers })), claude)).toEqual(["GET /alive"]);
  });

/** Damage to a project's records. Each takes at least one doc's text away. */
const damages = ["delete database", "empty database", "empty names", "empty pieces", "remove record", "remove piece", "change piece"];

test("damage to the stored project is told before anything is overwritten, and the first choice loses nothing", {
  tag: "@long",
}, async ({ open, startAnother }) => {
  minutes(20);
  for (const what of isWhole ? damages : ["delete database", "remove record"]) {
    const host = await startAnother();
    const tab = await open("", host);
    const quiet = () => tab.goto(`${host.url}licences.txt`);
    if (!(await inPage(tab, () => "storage" in navigator && "getDirectory" in navigator.storage))) {
      // Without a backup there is nothing to restore, but the settings know that there was a project.
      await askJson(tab, "POST", "file/doc-main.md", { content: "Mine alone.\n" });
      await quiet();
      await inPage(tab, damageRecords, "delete database");
      await tab.goto(host.url);
      await see(tab, heading("Your project is missing"));
      return;
    }
    await inPage(tab, write, { from: 1, to: 5, word: "kept" });
    const texts = await inPage(tab, readAll);
    await quiet();
    await inPage(tab, damageRecords, what);
    const before = await inPage(tab, sumsOfCopy);
    await tab.goto(host.url);
    expect((await inPage(tab, whatIsAsked)).asked, what).not.toBeNull();
    await quiet();
    expect(await inPage(tab, sumsOfCopy), what).toEqual(before);
    await tab.goto(host.url);
    const { asked } = await inPage(tab, whatIsAsked);
    const generation = asked?.copies[0]?.generation ?? -1;
    expect(await inPage(tab, choose, { action: asked?.opened ? "both" : "restore", generation }), what).toContain('"done"');
    const after = Object.values(await inPage(tab, readAll));
    const lost = Object.entries(texts).filter(([, text]) => !after.some((each) => each.startsWith(text)));
    expect(lost, what).toEqual([]);
    await tab.close();
  }
});

/** Hostile commands as tokens that must be drawn from left to right. */
const commands: readonly (readonly string[])[] = [
  ["echo", "א", "&&", "ב", "||", "ג", ">", "/project/x"],
  ["cat", "مرحبا", "|", "שלום", ";", "rm", "٣", "&", "ملف", "=", "12"],
  ["ls", "𞤀𞤁", "(", "ߊߋ", ")", "..", "/", "ܐܒ", "*"],
];

test("an approval shows a command in the order in which it runs", { tag: "@long" }, async ({ open, claude }) => {
  minutes(5);
  const tab = await open();
  await useKey(tab, claude);
  const messageBox: Target = ["textarea", "Message"];
  for (const tokens of commands) {
    const { dialogId } = await askJson<{ dialogId: string }>(tab, "POST", "dialog/new", { provider: "claude", slug: "shows" });
    claude.play({ blocks: [{ call: "run_command", input: { command: tokens.join(" ") } }] });
    await inPage(tab, (id) => void (location.hash = `#/dialogs/${id}`), dialogId);
    await see(tab, messageBox);
    await writeInto(tab, messageBox, "Please do it.");
    await tab.press("Enter", { control: true });
    await see(tab, heading("The agent wants to run a command", ".ask"));
    await shows(tab, [".ask section.ask-input"], tokens[0] ?? "");
    const places = await inPage(tab, placesOf, ".ask section.ask-input", tokens);
    expect(places, tokens.join(" ")).toEqual(places.toSorted((a, b) => a - b));
    expect(places).toHaveLength(2 * tokens.length);
    await click(tab, button(/^Deny/, ".ask"));
  }
});

/** The left and right edges of tokens in an element's text, in the order of the text. Runs in the page. */
function placesOf(selector: string, tokens: readonly string[]): number[] {
  const box = document.querySelector(selector);
  if (box === null) throw new Error(`there is no ${selector}`);
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const nodes: { node: Node; from: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes.push({ node, from: text.length });
    text += node.textContent ?? "";
  }
  const edge = (at: number, isEnd: boolean) => {
    const place = nodes.findLast(({ from }) => (isEnd ? from < at : from <= at));
    if (place === undefined) throw new Error(`no text at ${at}`);
    return { node: place.node, at: at - place.from };
  };
  const range = document.createRange();
  let from = text.indexOf(tokens.join(" "));
  if (from < 0) throw new Error(`${tokens.join(" ")} isn't in ${text}`);
  return tokens.flatMap((token) => {
    const at = text.indexOf(token, from);
    from = at + token.length;
    const [start, end] = [edge(at, false), edge(from, true)];
    range.setStart(start.node, start.at);
    range.setEnd(end.node, end.at);
    const { left, right } = range.getBoundingClientRect();
    return [Math.round(left), Math.round(right)];
  });
}
