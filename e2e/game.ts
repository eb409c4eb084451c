import type { Frame, Page } from "@playwright/test";
import { expect } from "./app.ts";

/** The frame with the game: the preview's frame itself or a frame inside it. */
export async function gameFrame(page: Page): Promise<Frame> {
  await expect.poll(async () => (await framesWithGame(page)).length, { timeout: 15_000 }).toBe(1);
  const [frame] = await framesWithGame(page);
  if (frame === undefined) throw new Error("no frame has the game");
  return frame;
}

async function framesWithGame(page: Page): Promise<Frame[]> {
  const found = [];
  for (const frame of page.frames().slice(1)) if ((await frame.getByRole("button", { name: "New game" }).count()) > 0) found.push(frame);
  return found;
}

/** Opens the preview and plays: a win on the diagonal, a draw, and a win with the keyboard alone. */
export async function playGame(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const frame = await gameFrame(page);
  expect(await frame.evaluate(() => window.origin)).toBe("null");
  const square = (row: number, column: number) => frame.getByRole("button", { name: `Row ${row}, column ${column}` });
  const take = async (...squares: readonly (readonly [number, number])[]) => {
    for (const [row, column] of squares) await square(row, column).click();
  };
  const status = frame.getByRole("status");
  await expect(status).toHaveText("X to move.");
  // The diagonal that the demo's edit fixes.
  await take([1, 3], [1, 1], [2, 2], [1, 2], [3, 1]);
  await expect(status).toHaveText("X wins.");
  await frame.getByRole("button", { name: "New game" }).click();
  await take([1, 1], [1, 2], [1, 3], [2, 2], [2, 1], [2, 3], [3, 2], [3, 1], [3, 3]);
  await expect(status).toHaveText(/draw/i);
  await frame.getByRole("button", { name: "New game" }).press("Enter");
  await expect(status).toHaveText("X to move.");
  await square(1, 1).focus();
  for (const key of [
    "Enter",
    "ArrowDown",
    "Space",
    "ArrowUp",
    "ArrowRight",
    "Enter",
    "ArrowDown",
    "Enter",
    "ArrowUp",
    "ArrowRight",
    "Space",
  ]) {
    await page.keyboard.press(key);
  }
  await expect(status).toHaveText("X wins.");
}
