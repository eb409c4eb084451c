/** The key under which this tab keeps what to start when the page has reloaded in another project. */
export const beginKey = "vibey begin";
