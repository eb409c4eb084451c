/** The part of sql.js that is used here; the package has no types of its own. */
declare module "sql.js" {
  export type Value = bigint | number | string | Uint8Array | null;

  export interface Statement {
    step(): boolean;
    /** With `useBigInt`, every INTEGER is a bigint, and a number is a REAL. */
    get(params: null, config: { useBigInt: true }): Value[];
    getColumnNames(): string[];
    getSQL(): string;
    free(): void;
  }

  export interface Database {
    iterateStatements(sql: string): Iterator<Statement> & { getRemainingSQL(): string };
    run(sql: string, params?: readonly Value[]): void;
    export(): Uint8Array;
    close(): void;
  }

  export default function initSqlJs(config: {
    wasmBinary: Uint8Array;
  }): Promise<{ readonly Database: new (bytes?: Uint8Array) => Database }>;
}
