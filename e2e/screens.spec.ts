// Every screen, on a light desktop and on a dark phone. On both: nothing sticks out, and the Tab key reaches everything with a visible
// focus. On the desktop: all axe rules. On the phone: the axe rules that depend on color or size, and a height of 44 px for touch targets.
// `npm run screens` takes pictures instead and compares them with those of the last run on this machine.
import { type OpenAiStandIn, startOpenAi } from "../tests/stand-in/openai.ts";
import { agents } from "./screens/agents.ts";
import { around } from "./screens/around.ts";
import { axe, check } from "./screens/checks.ts";
import { cost } from "./screens/cost.ts";
import { dialogs } from "./screens/dialogs.ts";
import { docs } from "./screens/docs.ts";
import { history } from "./screens/history.ts";
import { picture } from "./screens/pictures.ts";
import { preview } from "./screens/preview.ts";
import { project } from "./screens/project.ts";
import { reading } from "./screens/reading.ts";
import { settings } from "./screens/settings.ts";
import { turns } from "./screens/turns.ts";
import { holdAs, phone, type Visit, wide } from "./screens/visit.ts";
import { expect, test as base } from "./steps.ts";

const areas: Readonly<Record<string, readonly Visit[]>> = {
  docs,
  dialogs,
  turns,
  reading,
  history,
  agents,
  cost,
  project,
  settings,
  preview,
  around,
};

const test = base.extend<{ start: (options?: Parameters<typeof startOpenAi>[0]) => Promise<OpenAiStandIn> }>({
  // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
  async start({}, use) {
    const started: OpenAiStandIn[] = [];
    await use(async (options) => {
      const server = await startOpenAi(options);
      started.push(server);
      return server;
    });
    for (const server of started) await server.close();
  },
});

/** Rules whose result depends on colors or the window size. */
const byLook = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"] as const;
const takesPictures = process.env["VIBEY_SCREENS"] !== undefined;

/** `npm test` runs only this area's visit; other journeys cover the screens of the other areas. */
const inShort = "turns";

for (const [area, visits] of Object.entries(areas))
  for (const [index, visit] of visits.entries())
    test(`${area}: ${Object.keys(visit).join("; ")}`, { tag: index === 0 && area === inShort ? [] : "@long" }, async ({
      app,
      claude,
      start,
    }) => {
      // A visit covers many screens.
      test.setTimeout(180_000);
      const { page } = app;
      await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
      for (const [name, show] of Object.entries(visit))
        await test.step(name, async () => {
          await show({ app, page, claude, startOpenAi: start });
          if (takesPictures) await picture(page, name, "wide");
          else {
            expect.soft(await axe(page), `${name}: axe`).toEqual([]);
            const { small: _, ...found } = await check(page);
            expect.soft(found, name).toEqual({ sticksOut: [], missed: [], unseen: [] });
          }

          await holdAs(page, phone, !takesPictures);
          if (takesPictures) await picture(page, name, "phone");
          else {
            expect.soft(await axe(page, byLook), `${name}, phone: axe`).toEqual([]);
            expect.soft(await check(page), `${name}, phone`).toEqual({ sticksOut: [], small: [], missed: [], unseen: [] });
          }
          await holdAs(page, wide, !takesPictures);
        });
    });
