import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright";
import { zipStream } from "../src/fs/zip/write.ts";

/** Makes and opens a project of these files. Paths are as in a zip: docs and dialogs are in `vibey/`. */
export async function openProject(page: Page, files: readonly (readonly [path: string, text: string])[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "vibey-bench-project-"));
  const zip = join(folder, "many.zip");
  const encoder = new TextEncoder();
  const entries = files.map(([path, text]) => ({ path, mtime: Date.UTC(2026, 0, 1), read: async () => encoder.encode(text) }));
  writeFileSync(zip, Buffer.from(await new Response(zipStream(entries)).arrayBuffer()));
  await page.getByRole("button", { name: "Project" }).click();
  await page.getByRole("button", { name: "Import zip…", exact: true }).click();
  const box = page.getByRole("dialog", { name: "Import zip" });
  await box.getByLabel("Zip file").setInputFiles(zip);
  await box.getByRole("button", { name: "Create project" }).click({ timeout: 120_000 });
  await box.getByRole("button", { name: "Open new project" }).click({ timeout: 240_000 });
  await page.getByRole("tablist").first().waitFor();
  rmSync(folder, { recursive: true, force: true });
}
