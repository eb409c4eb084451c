import type { ZipContents } from "../../protocol/index.ts";
import { isForeignAgent, isForeignInstructions } from "../../protocol/foreign-files.ts";

/** The files of a zip that describe agents of other programs. */
export const agentsIn = ({ files }: ZipContents): string[] => files.flatMap(({ path }) => (isForeignAgent(path) ? [path] : []));

/** The names of the agents of a zip's project: imported, they are the user's own. */
export const ownAgentsIn = ({ files }: Pick<ZipContents, "files">): string[] =>
  files.flatMap(({ path }) => /^vibey\/agent-([^/]+)\.md$/i.exec(path)?.[1] ?? []);

/** Whether there is something to take up on the page of agents once the zip is in. */
export const hasForeignFiles = ({ files }: ZipContents): boolean =>
  files.some(({ path }) => isForeignAgent(path) || isForeignInstructions(path));

/** What the file of an agent is called, without what says that it is one. */
export const agentNameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/(?:\.agent|\.chatmode)?\.md$/i, "");
