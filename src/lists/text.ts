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
/** With `Latin Extended Additional`, such as `ǻ` and `ấ`: whatever may be a letter of its own. */
const LETTERS = [
  ...ORDERED,
  ...Array.from({ length: 0x100 }, (_, index) => String.fromCharCode(0x1e00 + index)),
];

/** A text is ordered by its beginning, so that a place, which is part of a cursor, stays short. */
export const ORDERED_LENGTH = 200;
/** Marks of letters are characters too. */
const MAX_READ = 10 * ORDERED_LENGTH;

/** How a locale orders texts. To compare them with a collator, again and again in a sort, takes ten times as long. */
export interface Collation {
  /** Part of a cursor: empty where no letter with an accent is a letter of its own, as in Dutch. */
  readonly name: string;
  /** Returns a text without case, and with no accents but those of the alphabet's own letters; `folded` has none. */
  normalize(text: string, folded: string): string;
  /** Returns the key by which such texts are in the order of the alphabet. */
  sortKey(normalize: string): string;
}

const collate = (locale: string) => new Intl.Collator(locale, { sensitivity: 'base' }).compare;

/** Letters that a locale separates from those that they are equal to in conditions, such as `å` in Swedish. */
function separateLetters(compare: (a: string, b: string) => number): string {
  const isSeparate = (letter: string) => /\p{Ll}/u.test(letter) && compare(letter, fold(letter)) !== 0;
  return LETTERS.filter(isSeparate).join('');
}

/** Joins letters with their marks. The marks that remain are left out. */
function compose(text: string): string {
  if (!/[\u0300-\u036f]/.test(text)) return text;
  // To normalize a text takes time that is quadratic in the length of a run of marks, of which a letter has two.
  const short = text.replace(/(\p{M}{4})\p{M}+/gu, '$1');
  return short.normalize('NFC').replace(/\p{M}+/gu, '');
}

export function createCollation(locale: string): Collation {
  const compare = collate(locale);
  const letters = separateLetters(compare);
  // Every locale separates a few foreign letters, such as þ.
  const hasOwn = letters !== separateLetters(collate('en'));
  const own = new RegExp(`[${letters}]`);
  const others = new RegExp(`[^${letters}]+`, 'g');
  const sorted = [...new Set([...ORDERED, ...(hasOwn ? letters : '')])].sort(
    (a, b) => compare(a, b) || (a < b ? -1 : 1),
  );
  const ranks: number[] = [];
  let rank = 0;
  for (const [index, letter] of sorted.entries()) {
    // In Swedish, ä and æ are in one place.
    if (!hasOwn || compare(sorted[index - 1] ?? '', letter) !== 0) rank = index;
    ranks[letter.charCodeAt(0)] = rank;
  }
  return {
    name: hasOwn ? locale : '',
    normalize(text, folded) {
      if (!hasOwn || !/[^ -~]/.test(text)) return folded;
      const composed = compose(text.slice(0, MAX_READ).toLowerCase());
      if (!own.test(composed)) return folded;
      return composed.slice(0, ORDERED_LENGTH).replace(others, (part) => fold(part));
    },
    sortKey(read) {
      const codes = new Uint16Array(read.length);
      for (let index = 0; index < read.length; index += 1) {
        const code = read.charCodeAt(index);
        codes[index] = ranks[code] ?? code;
      }
      return Buffer.from(codes.buffer).toString('utf16le');
    },
  };
}
