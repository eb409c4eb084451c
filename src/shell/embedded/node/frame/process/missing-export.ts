/** An import of a name that the other module does not export. */
export interface MissingExport {
  readonly specifier: string;
  readonly name: string;
  /** The importing module, and the import's position in its text. */
  readonly base: string;
  readonly line: number;
  readonly column: number;
  /** The text of that line. */
  readonly text: string;
  /** The other module is a CommonJS module. */
  readonly isCommonJs: boolean;
}

export function missingExport({ specifier, name, base, line, column, text, isCommonJs }: MissingExport): SyntaxError {
  const names = /\{.*\}/.exec(text)?.[0].replaceAll(/\s+as\s+/g, ": ");
  const message = isCommonJs
    ? `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, which may not support all module.exports as named exports.\n` +
      `CommonJS modules can always be imported via the default export, for example using:\n\nimport pkg from '${specifier}';\n${names === undefined ? "" : `const ${names} = pkg;\n`}`
    : `The requested module '${specifier}' does not provide an export named '${name}'`;
  const error = new SyntaxError(message);
  // The position shown is the import's.
  Object.defineProperty(error, "stack", {
    value: `SyntaxError: ${message}\n    at ${base}:${line}:${column}`,
    writable: true,
    configurable: true,
  });
  return error;
}
