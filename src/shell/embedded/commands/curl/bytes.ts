export { joinBytes as concatBytes } from "../../../../fs/bytes.ts";
import { toBytes } from "../../encoding.ts";

export function textBytes(text: string): Uint8Array {
  return toBytes(text, undefined);
}
