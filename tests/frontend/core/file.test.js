// Text files that people choose: in which letters they are written.
import { textOf } from "../../../erp/frontend/ui/file.js";

function same(read, wanted) {
  if (read !== wanted) throw new Error(`${JSON.stringify(read)} is not ${JSON.stringify(wanted)}`);
}

const TEXT = "Name\tOrt\nMüller\tKöln\n";
const wide = (isBig) => {
  const view = new DataView(new ArrayBuffer(2 * TEXT.length));
  for (let at = 0; at < TEXT.length; at += 1) view.setUint16(2 * at, TEXT.charCodeAt(at), !isBig);
  return [...new Uint8Array(view.buffer)];
};

Deno.test("a text is read in UTF-8, in UTF-16 with and without a mark, and in the letters of Windows", () => {
  same(textOf(new TextEncoder().encode(TEXT)), TEXT);
  same(textOf(Uint8Array.from([0xff, 0xfe, ...wide(false)])), TEXT);
  same(textOf(Uint8Array.from([0xfe, 0xff, ...wide(true)])), TEXT);
  same(textOf(Uint8Array.from(wide(false))), TEXT);
  same(textOf(Uint8Array.from(wide(true))), TEXT);
  same(textOf(Uint8Array.from([...TEXT].map((sign) => sign.charCodeAt(0)))), TEXT);
  same(textOf(new Uint8Array(0)), "");
});
