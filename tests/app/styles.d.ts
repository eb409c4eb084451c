declare module "*.css?inline" {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** Vite's: the modules whose paths match, by their paths. */
  glob(pattern: string): Record<string, () => Promise<unknown>>;
}
