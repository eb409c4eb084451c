import type { HostNeed } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";

/** What a command hears, and what the human is shown. */

export function refusedByHuman(host: string): string {
  return `the human refused ${host} for this dialog; do not try to reach it by other means, and do not ask again: continue without it, or say what you would have needed`;
}

export function unasked(host: string, needs: HostNeed): string {
  return `${host} was not allowed ${forWhat(needs)} in this dialog yet, and the human can be asked only while a command runs in the foreground; run it there, or ask the human to allow "${needs}" for ${host} first`;
}

function forWhat(needs: HostNeed): string {
  if (needs === "GET only") return "to be reached";
  return needs === "any method" ? "with other methods than GET" : "to be sent what may come from the project";
}

/** The human was asked for more than may be done there, and refused. */
export function lessAllowed(host: string, needs: HostNeed): string {
  const what = needs === "any method" ? "other requests than GET" : "to send it what may come from the project";
  return `the human did not allow ${what} for ${host} in this dialog; do not try it by other means, and do not ask again: continue without it, or say what you would have needed`;
}

export function crowded(host: string): string {
  return `the human was not asked about ${host}, because ${limits.networkQuestions} other hosts wait for an answer already; try fewer at a time`;
}

export function hiddenRedirect(host: string): string {
  return `${host} answered with a redirect; a browser does not show where to, so it was not followed; use the final address`;
}

export function blockedRedirect(host: string): string {
  return `${host} redirects to a host that this dialog may not reach, so the redirect was not followed; a browser does not show where it leads: use the final address, for which the human can be asked`;
}

/** The name comes from the sandbox, which says what it likes. */
export function shownProgram(program: string): string {
  return /^[A-Za-z0-9._-]{1,32}$/.test(program) ? program : "a program";
}

export function shownAddress(href: string): string {
  const rest = href.length - limits.networkAddressShown;
  return rest <= 0 ? href : `${href.slice(0, limits.networkAddressShown)} … and ${rest} more characters`;
}
