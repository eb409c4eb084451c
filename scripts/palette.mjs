// Pictures that need little room: a palette of the colours that a picture has most of, and the nearest of them for the others.
import { decode, encode } from "fast-png";

/** @param {number} colour @returns {[number, number, number]} */
const parts = (colour) => [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];

/** @param {[number, number, number]} one @param {[number, number, number]} other */
const distance = (one, other) => (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2;

/**
 * A PNG of 8 bits a channel, without transparency, in at most so many colours; one that has a palette already stays as it is.
 * @param {Uint8Array} bytes @param {number} most
 */
export function withFewerColours(bytes, most) {
  const { data, width, height, channels, palette: known } = decode(bytes);
  if (known) return bytes;
  const pixels = Uint32Array.from({ length: width * height }, (_, at) => {
    const first = at * channels;
    return ((data[first] ?? 0) << 16) | ((data[first + 1] ?? 0) << 8) | (data[first + 2] ?? 0);
  });
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = Array.from(counts)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([colour]) => parts(colour));
  /** @param {number} colour */
  const nearest = (colour) => {
    const distances = palette.map((kept) => distance(kept, parts(colour)));
    return distances.indexOf(Math.min(...distances));
  };
  const places = new Map(Array.from(counts.keys(), (colour) => [colour, nearest(colour)]));
  const indices = Uint8Array.from(pixels, (pixel) => places.get(pixel) ?? 0);
  return encode({ width, height, data: indices, channels: 1, depth: 8, palette }, { zlib: { level: 9 } });
}
