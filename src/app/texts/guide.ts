/** What its project is called, too. */
export const title = "The guide";
export const opening = "Opening the guide…";
export const notOpened = (why: string) => `Couldn't open the guide: ${why}`;
