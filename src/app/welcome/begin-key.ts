/** Where this tab keeps what is to begin when the page has started again in another project. */
export const beginKey = "vibey begin";
