import type { ZipContents } from "../../protocol/index.ts";
import { isForeignAgent, isForeignInstructions } from "../../protocol/foreign-files.ts";

/** The files of a zip that describe agents of other programs. */
export const agentsIn = ({ files }: ZipContents): string[] => files.flatMap(({ path }) => (isForeignAgent(path) ? [path] : []));

/** The names of a zip's own agents. Imported, they belong to the user. */
export const ownAgentsIn = ({ files }: Pick<ZipContents, "files">): string[] =>
  files.flatMap(({ path }) => /^vibey\/agent-([^/]+)\.md$/i.exec(path)?.[1] ?? []);

/** Whether there will be something to adopt on the agents' page after the import. */
export const hasForeignFiles = ({ files }: ZipContents): boolean =>
  files.some(({ path }) => isForeignAgent(path) || isForeignInstructions(path));

/** The name of an agent's file, without the extension that marks it as an agent. */
export const agentNameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/(?:\.agent|\.chatmode)?\.md$/i, "");
