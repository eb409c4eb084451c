/** Also the name of its project. */
export const title = "The guide";
export const opening = "Opening the guide…";
export const notOpened = (why: string) => `Couldn't open the guide: ${why}`;
