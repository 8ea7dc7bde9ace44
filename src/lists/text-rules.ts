/** How many letters are told apart, and how many spellings of them are remembered. */
const MAX_REMEMBERED = 10_000;
/** What a caller may send is remembered only if it is short; letters are. */
const MAX_LETTER_LENGTH = 8;
/** Letters that stand for two others. */
const PAIRS = ['ae', 'oe', 'ss', 'ij', 'th'];
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/** A letter with its accents, unless it is plain ASCII or one of the tens of thousands that have neither case nor accents. */
const LETTER = /[ -~]\p{M}+|[^ -~\u3400-\u9fff\uac00-\ud7a3\u{20000}-\u{3fffd}]\p{M}*/gu;
/** The same for languages in which ASCII has surprises: a Turkish I is no i. */
const ANY_LETTER = /[^\u3400-\u9fff\uac00-\ud7a3\u{20000}-\u{3fffd}\p{M}]\p{M}*|\p{M}+/gu;

/** How texts are compared: without case and accents, in the order of a locale. */
export class TextRules {
  readonly compare: (a: string, b: string) => number;
  /** One of each set of letters that are equal, in order. */
  readonly #letters: string[];
  readonly #folded = new Map<string, string>();
  readonly #letter: RegExp;
  readonly #isAsciiPlain: boolean;

  constructor(locale: string) {
    this.compare = new Intl.Collator(locale, { sensitivity: 'base' }).compare;
    this.#isAsciiPlain = ASCII.every((character) => this.equals(character, character.toLowerCase()));
    this.#letter = this.#isAsciiPlain ? LETTER : ANY_LETTER;
    const known = [
      ...ASCII.map((character) => (this.#isAsciiPlain ? character.toLowerCase() : character)),
      ...PAIRS,
    ];
    this.#letters = known
      .sort(this.compare)
      .filter((letter, index) => !this.equals(letter, known[index - 1] ?? ''));
  }

  equals(a: string, b: string): boolean {
    return this.compare(a, b) === 0;
  }

  /**
   * A text in which others can be searched, which a collator cannot do: each letter becomes the one that stands for all
   * that the collator says are equal to it.
   */
  fold(text: string): string {
    if (this.#isAsciiPlain && !/[^ -~]/.test(text)) return text.toLowerCase();
    const normal = text.normalize('NFC');
    const lower = this.#isAsciiPlain ? normal.toLowerCase() : normal;
    return lower.replace(this.#letter, (letter) => this.#foldLetter(letter));
  }

  #foldLetter(letter: string): string {
    const known = this.#folded.get(letter);
    if (known !== undefined) return known;
    const folded = this.#standFor(letter);
    if (letter.length > MAX_LETTER_LENGTH) return folded;
    if (this.#folded.size >= MAX_REMEMBERED) this.#folded.clear();
    this.#folded.set(letter, folded);
    return folded;
  }

  #standFor(letter: string): string {
    if (this.equals(letter, '')) return '';
    const index = this.#indexOf(letter);
    const found = this.#letters[index];
    if (found !== undefined && this.equals(found, letter)) return found;
    // A character that stands for several, such as a ligature. A syllable of Hangul is none: it is not searched in part.
    const parts = [...letter.normalize('NFKD').replace(/\p{M}/gu, '')];
    const isCompound = parts.length > 1 && letter.normalize('NFKD') !== letter.normalize('NFD');
    if (isCompound && this.equals(parts.join(''), letter)) {
      // Each is one character without a further decomposition, so this goes no deeper.
      return parts.map((part) => this.#foldLetter(part)).join('');
    }
    if (this.#letters.length < MAX_REMEMBERED && letter.length <= MAX_LETTER_LENGTH)
      this.#letters.splice(index, 0, letter);
    return letter;
  }

  /** Where a letter stands among the others, or would. */
  #indexOf(letter: string): number {
    let start = 0;
    let end = this.#letters.length;
    while (start < end) {
      const middle = (start + end) >> 1;
      if (this.compare(this.#letters[middle] ?? '', letter) < 0) start = middle + 1;
      else end = middle;
    }
    return start;
  }
}
