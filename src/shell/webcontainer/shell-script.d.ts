/** The address of `script/main.ts`, which scripts/vite/shell-script.ts bundles into one file. */
declare module "virtual:shell-script" {
  const url: string;
  export default url;
}
