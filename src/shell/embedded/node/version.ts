/** The Node version whose behavior is followed. `process.versions` names the engine that runs the code. */
export const nodeVersion = "v20.20.2";
