/**
 * Whether campaigns run in full, as in `npm run chaos`, or on a selection of their points, as in `npm test`. The selection still covers
 * each way in which a page dies, and each point with one of these ways.
 */
export const isWhole = process.env["VIBEY_CHAOS"] === "1";

/** Whether the host sends no headers, as in `npm run chaos -- bare`. The service worker adds them after the first load. */
export const isBare = process.env["VIBEY_HEADERS"] === "none";
