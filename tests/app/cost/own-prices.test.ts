import { createRoot } from "solid-js";
import { afterEach, expect, test, vi } from "vitest";
import { createOwnPrices } from "../../../src/app/cost/own-prices.ts";
import type { PriceView } from "../../../src/protocol/index.ts";

afterEach(() => vi.unstubAllGlobals());

const price = (model: string): PriceView => ({
  origin: "https://a.example",
  model,
  input: 1,
  output: 2,
  cacheRead: null,
  cacheWrite: null,
});

/** The engine's list. Another tab changes it directly. */
function engine(own: readonly PriceView[]) {
  const stored = { own };
  vi.stubGlobal("fetch", async (_path: string, init?: RequestInit) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body that the code under test sends.
    if (typeof init?.body === "string") stored.own = (JSON.parse(init.body) as { prices: PriceView[] }).prices;
    return Response.json({ own: stored.own, listed: [], builtIn: null, origins: [] });
  });
  return stored;
}

const models = (list: readonly PriceView[]) => list.map(({ model }) => model);

test("a change keeps what another tab added since the list was read, and two quick ones keep each other", async () => {
  const stored = engine([price("a"), price("b")]);
  await createRoot(async (end) => {
    const own = createOwnPrices();
    await vi.waitFor(() => expect(own.prices()).not.toBeNull());
    stored.own = [...stored.own, price("other tab")];
    const without = (model: string) => own.change((now) => now.filter((row) => row.model !== model));
    expect(await Promise.all([without("a"), without("b"), own.change((now) => [...now, price("new")])])).toEqual([null, null, null]);
    expect(models(stored.own)).toEqual(["other tab", "new"]);
    expect(models(own.prices()?.own ?? [])).toEqual(["other tab", "new"]);
    expect(await own.change(() => "there is one")).toBe("there is one");
    expect(models(stored.own)).toEqual(["other tab", "new"]);
    end();
  });
});
