import { isDevice, endlessDevices } from "../../../embedded/devices.ts";
import { createTree, type TreeNode } from "../../../embedded/tree.ts";

/** The folders where just-bash creates its commands, and those where it creates its devices. The WebContainer's own `/dev` and `/proc` are hidden. */
const commandFolders = ["/bin", "/usr/bin"];
const systemFolders = ["/dev", "/proc"];

/** The files that only the shell sees. */
export interface OwnFiles {
  /** `container`: the path belongs to the WebContainer. Null: the path belongs to the shell, and nothing is there. */
  find(path: string): TreeNode | "container" | null;
  /** Entries that a folder shows in addition to the WebContainer's own. */
  namesIn(path: string): readonly (readonly [name: string, node: TreeNode])[];
  isDevice(path: string): boolean;
  addFolder(path: string): void;
  addFile(path: string, bytes: Uint8Array): void;
}

/** `path`: the folders that are searched for programs. The WebContainer's own `/bin` and `/usr/bin` are visible if they are among them. */
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
