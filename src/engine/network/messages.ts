import type { HostNeed } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";

/** Shown to the command and to the user. */

export function refusedByHuman(host: string): string {
  return `the user blocked ${host} for this dialog. Don't try to reach it another way and don't ask again. Continue without it, or say what you needed it for`;
}

export function unasked(host: string, needs: HostNeed): string {
  return `${host} isn't allowed ${forWhat(needs)} in this dialog yet, and the user can only be asked while a command runs in the foreground. Run it there, or ask the user to allow "${needs}" for ${host} first`;
}

function forWhat(needs: HostNeed): string {
  if (needs === "GET only") return "to be connected to";
  return needs === "any method" ? "with methods other than GET" : "to be sent data that may come from the project";
}

/** The user was asked to allow more at this host, and refused. */
export function lessAllowed(host: string, needs: HostNeed): string {
  const what = needs === "any method" ? "requests other than GET" : "sending data that may come from the project";
  return `the user didn't allow ${what} for ${host} in this dialog. Don't try it another way and don't ask again. Continue without it, or say what you needed it for`;
}

export function crowded(host: string): string {
  return `the user wasn't asked about ${host}: ${limits.networkQuestions} other hosts are already waiting for an answer. Try fewer at a time`;
}

export function hiddenRedirect(host: string): string {
  return `${host} redirected. The browser doesn't reveal where, so the redirect wasn't followed. Use the final address`;
}

export function blockedRedirect(host: string): string {
  return `${host} redirects to a host this dialog isn't allowed to connect to, so the redirect wasn't followed. Use the final address, and the user will be asked about it`;
}

/** The name comes from the sandbox, which can claim anything. */
export function shownProgram(program: string): string {
  return /^[A-Za-z0-9._-]{1,32}$/.test(program) ? program : "a program";
}

export function shownAddress(href: string): string {
  const rest = href.length - limits.networkAddressShown;
  return rest <= 0 ? href : `${href.slice(0, limits.networkAddressShown)} … and ${rest} more characters`;
}
