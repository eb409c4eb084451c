/** What the project of the demo is called where there are others. */
export const demoProject = "The demo";
/** Of a project that was made of a text without words. */
export const ownProject = "My project";
export const notBegun = (why: string) => `Couldn't start: ${why}`;
