const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The two digits for each value of 12 bits. */
const PAIRS = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second));

/**
 * Encodes a string with one character per byte. A list has an id and a cursor in every row, and creating a Buffer for
 * each takes about four times as long: 1.0 µs in place of 0.25 for an id of 7 digits.
 */
export function encodeBase64Url(bytes: string): string {
  let text = '';
  const tail = bytes.length % 3;
  const end = bytes.length - tail;
  for (let index = 0; index < end; index += 3) {
    const group =
      (bytes.charCodeAt(index) << 16) | (bytes.charCodeAt(index + 1) << 8) | bytes.charCodeAt(index + 2);
    text += `${PAIRS[group >> 12]}${PAIRS[group & 0xfff]}`;
  }
  if (tail === 1) text += PAIRS[bytes.charCodeAt(end) << 4];
  if (tail === 2) {
    const group = (bytes.charCodeAt(end) << 8) | bytes.charCodeAt(end + 1);
    text += `${PAIRS[group >> 4]}${ALPHABET[(group & 0xf) << 2]}`;
  }
  return text;
}
