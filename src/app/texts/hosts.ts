import { number } from "../ui/words.ts";

/** Some hosts by name and how many more. */
export interface HostList {
  readonly named: readonly string[];
  readonly more: number;
}

export const mayReach = (hosts: HostList) => `Commands may reach ${list(hosts)}.`;
export const mayNotReach = (hosts: HostList) => `Commands may not reach ${list(hosts)}.`;
export const mayReachNot = (allowed: HostList, refused: HostList) => `Commands may reach ${list(allowed)}, not ${list(refused)}.`;

const list = ({ named, more }: HostList) => (more > 0 ? `${named.join(", ")} and ${number(more)} more` : named.join(" and "));
