import library from "readable-stream";

const { Readable, Writable, Duplex, Transform, PassThrough, Stream, finished, pipeline, addAbortSignal, compose, destroy, promises } =
  library;

const stream = Stream;
Object.assign(stream, { Readable, Writable, Duplex, Transform, PassThrough, Stream, finished, pipeline, addAbortSignal, compose, destroy });
Object.defineProperty(stream, "promises", { value: promises, enumerable: true, configurable: true });

export { Readable, Writable, Duplex, Transform, PassThrough, finished, pipeline, promises };
export default stream;

async function collect(source) {
  const { Buffer } = globalThis;
  const chunks = [];
  for await (const chunk of source)
    chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk.buffer ?? chunk, chunk.byteOffset, chunk.byteLength));
  return Buffer.concat(chunks);
}

export const consumers = {
  buffer: collect,
  text: async (source) => (await collect(source)).toString(),
  json: async (source) => JSON.parse((await collect(source)).toString()),
  arrayBuffer: async (source) => new Uint8Array(await collect(source)).buffer,
  blob: async (source) => new globalThis.Blob([await collect(source)]),
};
