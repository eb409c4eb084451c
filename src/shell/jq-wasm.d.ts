/** Where jq lies, taken out of its package by scripts/vite/jq-wasm.ts. */
declare module "virtual:jq.wasm" {
  const url: string;
  export default url;
}
