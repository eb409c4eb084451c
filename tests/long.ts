/** Second looks are taken, too: `npm run chaos -- units`. */
export const isLong = process.env["VIBEY_LONG"] !== undefined;
