/** The address of jq's WebAssembly file, which scripts/vite/jq-wasm.ts extracts from its package. */
declare module "virtual:jq.wasm" {
  const url: string;
  export default url;
}
