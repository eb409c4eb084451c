import { expect, test } from "@playwright/test";
import { durability } from "../chaos/durability/durability.ts";
import { kills } from "../chaos/kills/kills.ts";
import { serveBuild } from "../chaos/serve-build.ts";
import { tabs } from "../chaos/tabs/tabs.ts";

/** Short versions of the campaigns of `npm run chaos`. Each line reports what was done and what broke. */

const seed = 1;

test("the browser is killed while docs are written, dialogs run and zips are taken: nothing acknowledged is lost", {
  tag: "@long",
}, async () => {
  const site = await serveBuild();
  try {
    const { figures, broken } = await kills({ url: site.url, times: 2, seed });
    console.log(`  ${figures}`);
    expect(broken).toEqual([]);
  } finally {
    site.close();
  }
});

test("four tabs approve the same calls at the same moment: each runs once", { tag: "@long" }, async () => {
  const site = await serveBuild();
  try {
    const { figures, broken } = await tabs({ url: site.url, times: 8, seed });
    console.log(`  ${figures}`);
    expect(broken).toEqual([]);
  } finally {
    site.close();
  }
});

test("whatever is acknowledged to a human is in a strict transaction", { tag: "@long" }, async () => {
  const { figures, broken } = await durability(process.env.VIBEY_DIST ?? "dist");
  console.log(`  ${figures}`);
  expect(broken).toEqual([]);
});
