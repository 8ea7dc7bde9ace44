/** Letters that have no accent in Unicode, though people read them as another letter with one, or as two. */
const PLAIN_LETTERS = new Map(
  Object.entries({ ø: 'o', æ: 'ae', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }),
);
const LETTER = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'g');

/** Without case and accents: texts that are equal so are equal for conditions, orders and groups alike. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!/[^ -~]/.test(lower)) return lower;
  // Marks are removed before too: to normalize a text takes time that is quadratic in the length of a run of them.
  // Normalized, signs such as ™ have capitals.
  const plain = lower
    .replace(/\p{M}+/gu, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '');
  return plain.replace(LETTER, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
}

/** The letters, digits and signs whose order is that of a locale: up to Cyrillic. All others follow by their codes. */
const ORDERED = Array.from({ length: 0x500 }, (_, code) => String.fromCharCode(code));

/**
 * The key of a folded text, by which texts are in the order of a locale's alphabet. To compare the texts themselves
 * with a collator, again and again as a list is sorted, takes ten times as long.
 */
export type TextOrder = (text: string) => string;

export function textOrder(locale: string): TextOrder {
  const { compare } = new Intl.Collator(locale, { sensitivity: 'base' });
  const sorted = ORDERED.toSorted((a, b) => compare(a, b) || (a < b ? -1 : 1));
  const places: number[] = [];
  for (const [place, letter] of sorted.entries()) places[letter.charCodeAt(0)] = place;
  return (text) => {
    const codes = new Uint16Array(text.length);
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      codes[index] = places[code] ?? code;
    }
    return String.fromCharCode(...codes);
  };
}
