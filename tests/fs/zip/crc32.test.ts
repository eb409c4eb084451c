import { crc32 } from "node:zlib";
import { expect, test, vi } from "vitest";
import { writePack } from "../../../src/fs/history/pack.ts";
import { crc32InPieces } from "../../../src/fs/zip/crc32.ts";

const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 7919) % 251);

test("the sum of large contents is that of one piece, and others have their turn meanwhile", async () => {
  const turn = vi.fn<() => void>();
  setTimeout(turn, 0);
  expect(await crc32InPieces(bytes(2_500_000))).toBe(crc32(bytes(2_500_000)));
  expect(turn).toHaveBeenCalled();
  expect(await crc32InPieces(bytes(0))).toBe(0);
});

test("the sum of a whole pack is not made on this thread", async () => {
  const digest = vi.spyOn(crypto.subtle, "digest");
  const { name, pack } = await writePack(
    (async function* () {
      yield { oid: "ab".repeat(20), type: "blob", bytes: bytes(1_000) } as const;
    })(),
  );
  expect(digest.mock.calls.map(([, data]) => data.byteLength)).toEqual([pack.length - 20]);
  digest.mockRestore();
  expect(name).toBe(`pack-${Buffer.from(pack.subarray(-20)).toString("hex")}`);
});
