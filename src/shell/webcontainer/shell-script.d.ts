/** Where `script/main.ts` lies, bundled to one file by scripts/vite/shell-script.ts. */
declare module "virtual:shell-script" {
  const url: string;
  export default url;
}
