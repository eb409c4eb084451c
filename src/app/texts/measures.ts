/** Amounts are numbers formatted in the reader's locale. */
export const bytes = (amount: string) => `${amount} B`;
export const kilobytes = (amount: string) => `${amount} KB`;
export const megabytes = (amount: string) => `${amount} MB`;
export const milliseconds = (amount: string) => `${amount} ms`;
export const seconds = (amount: string) => `${amount} s`;
export const minutes = (whole: string, rest: string) => `${whole} min ${rest} s`;
export const yesterday = "yesterday";
export const span = (from: string, to: string) => `${from} – ${to}`;
export const inUTC = (times: string) => `${times} (UTC)`;
