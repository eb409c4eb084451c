export const outline = "Outline";
export const close = "Close the outline";
export const noHeadings = "No headings yet. A line that begins with # is one.";
export const emptyHeading = "(no words)";
