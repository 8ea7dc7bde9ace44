export const BASE64URL = /^[\w-]+$/;

/** ASCII without `>`, `?` and `~`, in which base64 may have the signs that base64url replaces. */
const PLAIN = /^[\n -=@-}]*$/;

/** Encodes a text. `btoa` takes a quarter of the time of a Buffer, but takes no UTF-8. */
export function toBase64url(text: string): string {
  if (!PLAIN.test(text)) return Buffer.from(text).toString('base64url');
  const encoded = btoa(text);
  const lastBytes = text.length % 3;
  return lastBytes === 0 ? encoded : encoded.slice(0, lastBytes - 3);
}
