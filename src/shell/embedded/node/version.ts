/** The Node whose behaviour this follows; the engine below it is QuickJS, which `process.versions` says. */
export const nodeVersion = "v20.20.2";
