interface ImportMeta {
  readonly env: { readonly PROD: boolean };
}

declare module "*?worker&url" {
  const url: string;
  export default url;
}

declare module "*.css";

declare module "*.md?raw" {
  const text: string;
  export default text;
}
