export const outline = "Outline";
export const close = "Close outline";
export const noHeadings = "No headings yet. Start a line with # to add one.";
export const emptyHeading = "(empty heading)";
