/** The part of pako that is used here. The package's own types name numbers differently than zlib does. */
declare module "pako" {
  interface Settings {
    readonly level?: number;
    readonly windowBits?: number;
    readonly memLevel?: number;
    readonly strategy?: number;
    readonly raw?: boolean;
    readonly gzip?: boolean;
    readonly dictionary?: Uint8Array;
  }
  class Stream {
    constructor(settings: Settings);
    /** 0, or zlib's error number. */
    readonly err: number;
    readonly msg: string;
    readonly ended: boolean;
    readonly strm: {
      readonly avail_in: number;
      avail_out: number;
      next_out: number;
      readonly output: Uint8Array | null;
      readonly msg: string;
    };
    onData: (piece: Uint8Array) => void;
    onEnd: (status: number) => void;
    /** `flush`: zlib's value, 0 to 4. */
    push(input: Uint8Array, flush: number): boolean;
  }
  const pako: { readonly Deflate: typeof Stream; readonly Inflate: typeof Stream };
  export type { Stream };
  export default pako;
}
