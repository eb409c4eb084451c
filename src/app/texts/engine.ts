export const blockedStorage = (why: string) =>
  `the browser won't let this site store data, for example because cookies and site data are blocked: ${why}`;
export const scriptNotLoaded = "Vibey's engine couldn't be loaded";
export const tabWasFrozen = "the browser froze this tab and another one took over, so this may or may not have been done";
