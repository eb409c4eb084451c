/** The name of the demo's project if there are other projects. */
export const demoProject = "The demo";
/** The name of a project created from a text without words. */
export const ownProject = "My project";
export const notBegun = (why: string) => `Couldn't start: ${why}`;
