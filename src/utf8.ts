import { isAscii, isUtf8, transcode } from 'node:buffer';

// Node converts text beyond ASCII slowly, and between UTF-8 and UTF-16 fast, as V8 stores such text.

/** Decodes like `toString`. */
export function decodeUtf8(bytes: Buffer): string {
  if (isAscii(bytes) || !isUtf8(bytes)) return bytes.toString();
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
}

/** Encodes well-formed text, such as JSON. */
export function encodeUtf8(text: string): Buffer<ArrayBuffer> {
  return Object(transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8'));
}
