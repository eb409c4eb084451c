import { AsyncLocalStorage } from "node:async_hooks";

/**
 * While a command runs in this context, folders are listed without their links. `grep -r` skips links, but just-bash's grep does not, and circular
 * links are common in node_modules.
 */
export const withoutLinks = new AsyncLocalStorage<true>();
