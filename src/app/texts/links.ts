export const linesOf = (file: string, from: string, to: string) => `${file}, lines ${from} to ${to}`;
