import { engineLock, projectName } from "../../../protocol/project-name.ts";
import { forgetProject, type Locks } from "./browser.ts";
import { openRegister } from "./register.ts";
import { idbSettings } from "../../settings/settings-idb.ts";

/** Renames a project. Returns false if there is no such project. */
export async function renameProject(id: string, name: string): Promise<boolean> {
  const register = await openRegister();
  try {
    const entry = (await register.all()).find((one) => one.id === id && one.state === "whole");
    if (entry) await register.put({ ...entry, name });
    return entry !== undefined;
  } finally {
    register.close();
  }
}

/**
 * Removes a project with its files, history, backup, settings and agents' keys. If a tab has it open, that tab holds its lock, and nothing is
 * removed. Anyone who opens it in the meantime waits until it is removed.
 */
export async function removeProject(id: string, locks: Locks = navigator.locks): Promise<"removed" | "open"> {
  return locks.request(engineLock(projectName(id)), { ifAvailable: true }, async (lock) => {
    if (lock === null) return "open";
    await removeCopy(`${projectName(id)}-copy`);
    await forgetProject(id);
    await forgetSettings(projectName(id));
    return "removed";
  });
}

async function forgetSettings(project: string): Promise<void> {
  const settings = await idbSettings("vibey-settings");
  try {
    await settings.forgetProject(project);
  } finally {
    settings.close();
  }
}

async function removeCopy(folder: string): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(folder, { recursive: true });
  } catch (error) {
    // There is no backup, or the browser has no private file system.
    if (error instanceof DOMException && ["NotFoundError", "SecurityError", "UnknownError"].includes(error.name)) return;
    // WebKitGTK has no `navigator.storage` at all.
    if (error instanceof TypeError) return;
    throw error;
  }
}
