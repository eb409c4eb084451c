declare module "*.css?inline" {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** Vite's function: the modules whose paths match, by path. */
  glob(pattern: string): Record<string, () => Promise<unknown>>;
}
