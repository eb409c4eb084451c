import type { OutgoingReason } from "../../protocol/index.ts";
import { counted } from "./counted.ts";

export const looking = "Checking what would run outside the browser…";
export const notLooked = (why: string) => `Couldn't check what would run outside the browser: ${why}`;

export const title = "What would run on your machine";
export const heldWhat = (files: number) =>
  files === 1
    ? "In the browser, this file can't do anything. Outside it, a program may run what it says without asking you."
    : `In the browser, these ${counted(files, "file")} can't do anything. Outside it, programs may run what they say without asking you.`;
export const historyWhat = (files: number) =>
  files === 1
    ? "An earlier version in the history has this file. It comes back when you check out that version, unless you export it held back."
    : `Earlier versions in the history have these ${counted(files, "file")}. They come back when you check out those versions, unless you export them held back.`;
export const listedWhat = "These run only when you give a command.";
export const heldList = "Files that run by themselves";
export const historyList = "Files of earlier versions that run by themselves";
export const listedList = "Files that run with a command";

export const form = "How to export";
export const safe = "Held back";
export const safeWhat =
  "Their names end in ~held-back, so no program finds them. Rename one to use it. Vibey restores all the names when it imports the zip. git leaves those of earlier versions out of the folder until you run git sparse-checkout disable. A clone, or a program other than git, brings them back.";
export const asTheyAre = "As they are";
export const asTheyAreWhat =
  "Choose this if you've read them. Repositories (.git) are still exported without hooks and with harmless settings only.";
export const leaveOutPackages = (files: number) => `Leave out installed packages (${counted(files, "file")} in node_modules)`;
export const leaveOutPackagesWhat = "Vibey can't import a zip with this many files. After an import, run npm install to restore them.";
export const exportNow = "Export";

const when = {
  "editor-opens": (program: string) => `Runs when the folder is opened in an editor: ${program}.`,
  "folder-entered": (program: string) => `Runs when a shell enters the folder: ${program}.`,
  "folder-shown": (program: string) => `Runs when the folder is shown: ${program}.`,
  opened: (program: string) => `Runs when it is opened with a double click: ${program}.`,
  "program-starts": (program: string) => `Runs when a program is started in the folder: ${program}.`,
  "packages-installed": (program: string) => `Runs when packages are installed: ${program}.`,
  command: (program: string) => `Runs with a command: ${program}.`,
} as const;

/** The maximum number of setting names in a sentence. */
const named = 5;

export function reason(of: OutgoingReason): string {
  switch (of.kind) {
    case "runs":
      return when[of.when](of.program);
    case "settings": {
      const more = of.keys.length - named;
      const keys = of.keys.slice(0, named).join(", ");
      return more > 0
        ? `git may run programs that these settings name: ${keys} and ${more} more.`
        : `git may run programs that these settings name: ${keys}.`;
    }
    case "hook":
      return "git runs this hook by itself.";
    case "pointer":
      return "It points git to another folder and that folder's settings.";
    case "sequence":
      return "git may run commands from it when it continues a rebase.";
    case "stash":
      return "git may write files from it that run by themselves.";
    case "index":
      return "It tells git to write files where hooks are.";
    case "inner":
      return "It is a repository inside a repository.";
    case "spelling":
      return "Some systems read this name as .git.";
    case "short-name":
      return "Windows may read this name as that of another file or folder and unpack over it.";
    case "unreadable":
      return "It looks like a repository but can't be rebuilt.";
  }
}

export const byYou = "Written by you.";
export const byDialog = (dialog: string) => `Written by the dialog ${dialog}.`;
export const bySomeAgent = "Written by an agent.";
export const byImport = "Imported from a zip.";
export const byVibey = "Written by Vibey, or there when the history began.";
export const byUnknown = "The history doesn't say who wrote it.";
