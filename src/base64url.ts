export const BASE64URL = /^[\w-]+$/;

const MAX_REUSED = 500;
/** With room for characters of three bytes. */
const reused = Buffer.alloc(3 * MAX_REUSED);

/** Encodes a text. To create a buffer for each text would take twice as long. */
export function toBase64url(text: string): string {
  if (text.length > MAX_REUSED) return Buffer.from(text).toString('base64url');
  return reused.toString('base64url', 0, reused.write(text));
}
