/** The address of `process/main.ts`, which scripts/vite/node-process.ts bundles into one script. */
declare module "virtual:node-process" {
  const url: string;
  export default url;
}
