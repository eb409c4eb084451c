/**
 * Whether campaigns run whole, as `npm run chaos` has them, or a part of their points, as `npm test` does: each way a page dies
 * is there in both, and each point in one of the ways.
 */
export const isWhole = process.env["VIBEY_CHAOS"] === "1";

/** Whether the app comes from a host that sends no headers, as `npm run chaos -- bare` has it. The service worker adds them after the first load. */
export const isBare = process.env["VIBEY_HEADERS"] === "none";
