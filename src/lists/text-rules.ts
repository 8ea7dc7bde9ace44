import { getOrCreate, lruMap, weakMemoize } from '../memoize.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
/** The simplest spellings, the preferred ones first. Some letters stand for two others, such as æ. */
const PLAIN = [...LETTERS, ...ASCII, ...LETTERS.flatMap((one) => LETTERS.map((other) => one + other))];

/** Tens of thousands of ideographs and syllables, which have neither case nor accents, and what is no character. */
const UNFOLDED = String.raw`\u3400-\u9fff\uac00-\ud7a3\u{20000}-\u{3fffd}\p{Cn}\p{Co}\p{Cs}`;

/** No record in any language has more; to fold one that no text had before takes up to 10 µs. */
const MAX_LETTERS = 2_000;
const FOLDED = new RegExp(`[^\\x00-\\x7f${UNFOLDED}]`, 'gu');

/** Counts the different letters of a record: to fold too many would hold up everybody else. */
export class LetterCount {
  #length = 0;
  #letters: Set<string> | undefined;

  /** Whether this text, after the others, has too many of them. */
  isTooMuch(text: string): boolean {
    this.#length += text.length;
    if (this.#length <= MAX_LETTERS) return false;
    const letters = text.match(FOLDED);
    if (letters === null) return false;
    this.#letters ??= new Set();
    for (const letter of letters) this.#letters.add(letter);
    return this.#letters.size > MAX_LETTERS;
  }
}

/** The limit of Unicode's stream-safe format: to put marks in order takes the square of their number. */
const MARKS = /\p{M}+/gu;
const MAX_MARKS = 30;

/** How much of two long texts is compared by the alphabet, so that it takes no time that others would notice. */
const MAX_COMPARED = 200;

/** Letters that are equal without being related in Unicode mostly stand near each other. */
const BLOCK = 1_024;

interface Alphabet {
  readonly collate: (a: string, b: string) => number;
  /** The plain spellings in order, one of each set that are equal. */
  readonly plain: readonly string[];
}

const alphabets = lruMap<Alphabet>(10);

/** Sorting takes a millisecond: gateways of one process share what depends on their locale alone. */
function createAlphabet(locale: string): Alphabet {
  const collate = new Intl.Collator(locale, { sensitivity: 'base' }).compare;
  const sorted = PLAIN.toSorted(collate);
  const plain = sorted.filter((one, index) => collate(one, sorted[index - 1] ?? '') !== 0);
  return { collate, plain };
}

/** How texts are compared in a locale: without case and accents. Those that are equal are folded to the same text. */
export class TextRules {
  readonly #collate: Alphabet['collate'];
  readonly #plain: Alphabet['plain'];
  readonly #folded = new Map<string, string>();
  /** In each block that has been met: the first of the letters that are equal, for each of them. */
  readonly #blocks = new Map<number, ReadonlyMap<string, string>>();
  /** What is folded to something else, or may be. */
  readonly #changing: RegExp;
  readonly #isAsciiPlain: boolean;

  constructor(locale: string) {
    const { collate, plain } = getOrCreate<string, Alphabet>(alphabets, locale, createAlphabet);
    this.#collate = collate;
    this.#plain = plain;
    const own = ASCII.filter((letter) => this.#foldLetter(letter) === letter).map(escaped);
    this.#changing = new RegExp(`[^${own.join('')}${UNFOLDED}]`, 'gu');
    // Not everywhere: a Turkish I is no i, and Thai ignores spaces.
    this.#isAsciiPlain = ASCII.every((letter) => this.#foldLetter(letter) === letter.toLowerCase());
  }

  /** Each letter becomes the one that stands for all that the locale's collator says are equal to it. */
  fold(text: string): string {
    if (this.#isAsciiPlain && isAscii(text)) return text.toLowerCase();
    const folded = composed(text).replace(this.#changing, (letter) => this.#foldLetter(letter));
    // Where a letter that does not count is gone, those beside it may combine.
    return composed(folded);
  }

  /** Memoized: all aliases that use the same variable share one array. */
  readonly foldAll = weakMemoize((texts: readonly unknown[]) => new FoldedTexts(this, texts.map(String)));

  /** Letters of a text that were never folded before, which may take milliseconds each. */
  newLettersIn(text: string): string[] {
    if (isAscii(text)) return [];
    return [...new Set(composed(text).match(this.#changing))].filter((letter) => !this.#folded.has(letter));
  }

  /** The order of two folded texts: by the alphabet of the locale. They tie only if they are the same. */
  compare(a: string, b: string): number {
    if (a === b) return 0;
    return this.#collate(a.slice(0, MAX_COMPARED), b.slice(0, MAX_COMPARED)) || (a < b ? -1 : 1);
  }

  #foldLetter(letter: string): string {
    let folded = this.#folded.get(letter);
    if (folded === undefined) {
      folded = this.#standFor(letter);
      this.#folded.set(letter, folded);
    }
    return folded;
  }

  #standFor(letter: string): string {
    if (this.#collate(letter, '') === 0) return '';
    const plain = this.#plainSpelling(letter);
    if (plain !== undefined) return plain;
    const simpler = Array.from(this.#simplerSpelling(letter) ?? '', (part) => this.#foldLetter(part)).join(
      '',
    );
    return this.#collate(simpler, letter) === 0 ? simpler : this.#firstAlike(letter);
  }

  #plainSpelling(letter: string): string | undefined {
    let start = 0;
    let end = this.#plain.length;
    while (start < end) {
      const middle = (start + end) >> 1;
      const order = this.#collate(this.#plain[middle] ?? '', letter);
      if (order === 0) return this.#plain[middle];
      if (order < 0) start = middle + 1;
      else end = middle;
    }
    return undefined;
  }

  /** Without what only sets it apart in print, its case, or one of its accents. */
  #simplerSpelling(letter: string): string | undefined {
    const [base = '', ...marks] = letter.normalize('NFD');
    const lessMarked = marks.map((_, index) => composed(base + marks.toSpliced(index, 1).join('')));
    return [letter.normalize('NFKC'), letter.toLowerCase(), ...lessMarked].find(
      (spelling) => spelling !== letter && this.#collate(spelling, letter) === 0,
    );
  }

  /** Such as the hiragana of a katakana, or the Swedish ä of an æ. */
  #firstAlike(letter: string): string {
    const block = Math.floor((letter.codePointAt(0) ?? 0) / BLOCK);
    const firsts = getOrCreate(this.#blocks, block, () => this.#firstsIn(block * BLOCK));
    return firsts.get(letter) ?? letter;
  }

  #firstsIn(start: number): Map<string, string> {
    const letters = Array.from({ length: BLOCK }, (_, index) => String.fromCodePoint(start + index))
      .filter((letter) => this.#simplerSpelling(letter) === undefined)
      .sort(this.#collate);
    let first = '';
    return new Map(
      letters.map((letter) => {
        if (this.#collate(first, letter) !== 0) first = letter;
        return [letter, first];
      }),
    );
  }
}

/** Texts that are folded one by one, since together they would hold up everybody else. */
class FoldedTexts {
  /** All of them, once none is left. */
  readonly texts = new Set<string>();
  readonly #rules: TextRules;
  readonly #left: string[];
  /** Those of the next text, once it is looked at. */
  #letters: string[] | undefined;

  constructor(rules: TextRules, texts: readonly string[]) {
    this.#rules = rules;
    this.#left = [...texts];
  }

  /** Folds one more text, or one of its letters; returns whether anything is left. */
  foldNext(): boolean {
    const text = this.#left.at(-1);
    if (text === undefined) return false;
    this.#letters ??= this.#rules.newLettersIn(text);
    const letter = this.#letters.pop();
    if (letter !== undefined) {
      this.#rules.fold(letter);
      return true;
    }
    this.texts.add(this.#rules.fold(text));
    this.#letters = undefined;
    this.#left.pop();
    return this.#left.length > 0;
  }
}

function composed(text: string): string {
  return isAscii(text) ? text : text.replace(MARKS, (run) => firstMarks(run)).normalize('NFC');
}

/** Most runs are one mark. */
function firstMarks(run: string): string {
  return run.length <= MAX_MARKS ? run : [...run].slice(0, MAX_MARKS).join('');
}

function isAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}

/** In a class of a pattern. */
function escaped(letter: string): string {
  return `\\x${letter.charCodeAt(0).toString(16)}`;
}
