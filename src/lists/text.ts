/** Unicode does not decompose these letters, though people read them as plain letters. */
const PLAIN_LETTERS = new Map(
  Object.entries({ ø: 'o', æ: 'ae', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }),
);
const LETTER = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'g');

/** Removes case and accents, for conditions, orders and groups alike. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!/[^ -~]/.test(lower)) return lower;
  // `normalize` takes quadratic time for a run of marks. Signs such as ™ decompose to capitals.
  const plain = lower
    .replace(/\p{M}+/gu, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '');
  return plain.replace(LETTER, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
}

/** The characters that a locale orders, up to Cyrillic. All others follow by their codes. */
const ORDERED = Array.from({ length: 0x500 }, (_, code) => String.fromCharCode(code));
/** Adds `Latin Extended Additional`, such as `ǻ` and `ấ`, which may be separate letters too. */
const LETTERS = [
  ...ORDERED,
  ...Array.from({ length: 0x100 }, (_, index) => String.fromCharCode(0x1e00 + index)),
];

/** Texts are sorted by their first characters, so that cursors stay short. */
export const SORTED_LENGTH = 200;
/** Combining marks are characters too. */
const MAX_NORMALIZED = 10 * SORTED_LENGTH;

/** How a locale orders texts. In a sort, sort keys are ten times as fast as a collator. */
export interface Collation {
  /** Part of cursors. Empty if no letter with an accent is a separate letter, as in Dutch. */
  readonly name: string;
  /** Removes case, and all accents except those of separate letters. `folded` is the text without any accents. */
  normalize(text: string, folded: string): string;
  /** Returns a key that compares by code in alphabetical order. */
  sortKey(normalized: string): string;
}

const createCompare = (locale: string) => new Intl.Collator(locale, { sensitivity: 'base' }).compare;

/** Returns the letters that a locale separates from their folded form, such as `å` in Swedish. */
function findSeparateLetters(compare: (a: string, b: string) => number): string {
  const isSeparate = (letter: string) => /\p{Ll}/u.test(letter) && compare(letter, fold(letter)) !== 0;
  return LETTERS.filter(isSeparate).join('');
}

/** Combines letters with their marks, and drops the remaining marks. */
function compose(text: string): string {
  if (!/[\u0300-\u036f]/.test(text)) return text;
  // `normalize` takes quadratic time for a run of marks, and a letter has at most two.
  const short = text.replace(/(\p{M}{4})\p{M}+/gu, '$1');
  return short.normalize('NFC').replace(/\p{M}+/gu, '');
}

export function createCollation(locale: string): Collation {
  const compare = createCompare(locale);
  const letters = findSeparateLetters(compare);
  // Every locale separates a few foreign letters, such as þ.
  const hasSeparate = letters !== findSeparateLetters(createCompare('en'));
  const separate = new RegExp(`[${letters}]`);
  const others = new RegExp(`[^${letters}]+`, 'g');
  const sorted = [...new Set([...ORDERED, ...(hasSeparate ? letters : '')])].sort(
    (a, b) => compare(a, b) || (a < b ? -1 : 1),
  );
  const ranks: number[] = [];
  let rank = 0;
  for (const [index, letter] of sorted.entries()) {
    // Equal letters share a rank, such as ä and æ in Swedish.
    if (!hasSeparate || compare(sorted[index - 1] ?? '', letter) !== 0) rank = index;
    ranks[letter.charCodeAt(0)] = rank;
  }
  return {
    name: hasSeparate ? locale : '',
    normalize(text, folded) {
      if (!hasSeparate || !/[^ -~]/.test(text)) return folded;
      const composed = compose(text.slice(0, MAX_NORMALIZED).toLowerCase());
      if (!separate.test(composed)) return folded;
      return composed.slice(0, SORTED_LENGTH).replace(others, (part) => fold(part));
    },
    sortKey(normalized) {
      const codes = new Uint16Array(normalized.length);
      for (let index = 0; index < normalized.length; index += 1) {
        const code = normalized.charCodeAt(index);
        codes[index] = ranks[code] ?? code;
      }
      return Buffer.from(codes.buffer).toString('utf16le');
    },
  };
}
