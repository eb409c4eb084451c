import { isDevice, endlessDevices } from "../../../embedded/devices.ts";
import { createTree, type TreeNode } from "../../../embedded/tree.ts";

/** Where just-bash lays out its commands and what stands for devices. Of the last two, nothing of the WebContainer's own is shown. */
const commandFolders = ["/bin", "/usr/bin"];
const systemFolders = ["/dev", "/proc"];

/** The files that only the shell sees. */
export interface OwnFiles {
  /** `container`: it is the WebContainer's own. null: it is the shell's to have, and it is not there. */
  find(path: string): TreeNode | "container" | null;
  /** Names that a folder of the WebContainer has in addition. */
  namesIn(path: string): readonly (readonly [name: string, node: TreeNode])[];
  isDevice(path: string): boolean;
  addFolder(path: string): void;
  addFile(path: string, bytes: Uint8Array): void;
}

/** `path`: the folders that programs are looked for in; the WebContainer's own `/bin` and `/usr/bin` are seen when they are among them. */
export function createOwnFiles(path: readonly string[]): OwnFiles {
  const tree = createTree(Date.now());
  const shared = commandFolders.filter((folder) => path.includes(folder));
  for (const folder of [...commandFolders, ...systemFolders]) tree.ensureFolder(folder, Date.now());

  const own: OwnFiles = {
    find(at) {
      const folder = [...commandFolders, ...systemFolders].find((each) => at === each || at.startsWith(`${each}/`));
      if (folder === undefined) return "container";
      return tree.find(at) ?? (shared.includes(folder) ? "container" : null);
    },
    namesIn(at) {
      const node = tree.find(at);
      return node?.kind === "folder" ? [...node.children] : [];
    },
    isDevice,
    addFolder: (at) => void tree.ensureFolder(at, Date.now()),
    addFile(at, bytes) {
      const parent = tree.parent(at);
      parent?.folder.children.set(parent.name, { ...tree.newFile(bytes, bytes.length, Date.now()), mode: 0o755 });
    },
  };
  for (const device of endlessDevices) own.addFile(device, new Uint8Array());
  return own;
}
