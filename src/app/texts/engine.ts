export const blockedStorage = (why: string) =>
  `the browser gives this address no storage, as where cookies and site data are blocked: ${why}`;
export const scriptNotLoaded = "the engine's script could not be loaded";
export const tabWasFrozen = "this tab was frozen and another one took over; whether this was done is not known";
