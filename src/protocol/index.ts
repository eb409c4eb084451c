/**
 * The shapes of the engine's requests and responses: its only interface to a screen. Only types, so that the page can share them without loading a
 * module of the engine. `routes.ts` lists the calls.
 */
export type * from "./agents.ts";
export type * from "./cost.ts";
export type * from "./dialogs.ts";
export type * from "./events.ts";
export type * from "./files.ts";
export type * from "./history.ts";
export type * from "./projects.ts";
export type * from "./providers.ts";
export type * from "./recovery.ts";
export type * from "./runs.ts";
export type * from "./sandbox.ts";
export type * from "./sessions.ts";
export type * from "./network-ask.ts";
export type * from "./outside.ts";
export type * from "./view.ts";
export type * from "./log.ts";
export type * from "./graph/model.ts";
export type * from "./user.ts";
