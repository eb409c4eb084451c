/**
 * Whether campaigns run whole, as `npm run chaos` has them, or a part of their points, as `npm test` does: each way a page dies
 * is there in both, and each point in one of the ways.
 */
export const isWhole = process.env["VIBEY_CHAOS"] === "1";
