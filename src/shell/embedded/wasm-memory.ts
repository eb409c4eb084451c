const pageSize = 65_536;
const memorySection = 5;
const hasMaximum = 1;

/**
 * Returns a copy of the WebAssembly with a smaller maximum for its one memory. Emscripten creates the memory itself, so it can't be given a smaller
 * one. Growing beyond the maximum fails, and the program learns that memory has run out.
 */
export function limitMemory(wasm: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(wasm);
  let at = 8;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = copy[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < copy.length) {
    const section = copy[at];
    at += 1;
    const size = number();
    const end = at + size;
    if (section === memorySection) {
      const count = number();
      const flags = number();
      const least = number();
      const from = at;
      const most = number();
      const pages = Math.floor(bytes / pageSize);
      if (count !== 1 || flags !== hasMaximum || pages < least || pages > most) break;
      // Uses as many bytes as the number before, so that the section's length stays the same.
      let rest = pages;
      for (let i = from; i < at; i += 1) {
        copy[i] = (rest & 0x7f) | (i < at - 1 ? 0x80 : 0);
        rest >>>= 7;
      }
      return copy;
    }
    at = end;
  }
  throw new Error("this WebAssembly's memory can't be limited: was its package updated?");
}
