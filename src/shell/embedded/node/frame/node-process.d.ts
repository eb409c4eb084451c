/** Where `process/main.ts` lies, bundled to one script by scripts/vite/node-process.ts. */
declare module "virtual:node-process" {
  const url: string;
  export default url;
}
