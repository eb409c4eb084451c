import { number } from "../ui/format.ts";

/** Some hosts by name, and how many more there are. */
export interface HostList {
  readonly named: readonly string[];
  readonly more: number;
}

export const mayReach = (hosts: HostList) => `Commands can connect to ${list(hosts)}.`;
export const mayNotReach = (hosts: HostList) => `Commands can't connect to ${list(hosts)}.`;
export const mayReachNot = (allowed: HostList, refused: HostList) =>
  `Commands can connect to ${list(allowed)}, but not to ${list(refused)}.`;

const list = ({ named, more }: HostList) => (more > 0 ? `${named.join(", ")} and ${number(more)} more` : named.join(" and "));
