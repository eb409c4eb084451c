/** Whether the repeated tests run, too: `npm run chaos -- units`. */
export const isLong = process.env["VIBEY_LONG"] !== undefined;
