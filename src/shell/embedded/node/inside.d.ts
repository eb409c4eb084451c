/** The script that runs inside QuickJS, bundled by scripts/vite/node-inside.ts. */
declare module "virtual:node-inside" {
  const script: string;
  export default script;
}
