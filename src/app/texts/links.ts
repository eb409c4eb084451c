/** The two forms of a host's name: as people write it, and as it is looked up. */
export const hostInTwoForms = (written: string, ascii: string) => `${written} = ${ascii}`;
export const leadsElsewhere = (host: string) => `leads to ${host}, not where it says`;
export const linesOf = (file: string, from: string, to: string) => `${file}, lines ${from}–${to}`;
