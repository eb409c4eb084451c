/** What its project is called, too. */
export const title = "The guide";
export const opening = "Opening the guide, a project of its own…";
export const notOpened = (why: string) => `The guide could not be opened: ${why}`;
