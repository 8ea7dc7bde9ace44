/** A part of the documentation that a search finds: see scripts/docs/sections.mjs. */
export interface SearchEntry {
  readonly path: string;
  readonly heading: string;
  /** The page and the headings that it stands under, from the outermost. */
  readonly above: readonly string[];
  readonly text: string;
  /** What its matches count for, from 0 to 1: what few readers look for is found after the rest. */
  readonly weight?: number;
}

export interface Found {
  readonly entry: SearchEntry;
  /** A part of its text. */
  readonly snippet: readonly Piece[];
}

export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** How much a word counts, by where it is found. */
const IN_HEADING = 20;
const IN_PAGE_NAME = 4;
const IN_TEXT = 1;
/** How much it counts there as a word, as the beginning of one, and inside of one. */
const WHOLE = 4;
const BEGINS = 3;
const INSIDE = 0.1;
const WHOLE_HEADING = 100;
/** What a text that consists of the word would count, beside the fact that it has it. */
const OFTEN = 10;

/** Of a text that tells about one thing. */
const CHARACTERS = 1_000;

/** What readers call things that the pages call otherwise. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  sort: 'order',
  sorting: 'order',
  pagination: 'scroll',
  paging: 'scroll',
  authentication: 'credential',
  login: 'credential',
  aggregate: 'totals',
  grouping: 'group',
  pivot: 'group',
};

/** Where a word is explained that is used all over the pages. It is found first. */
export const EXPLAINED_AT: Readonly<Record<string, string>> = {
  graphiql: '/docs#in-the-browser',
  subscription: '/docs/live-changes',
  subscriptions: '/docs/live-changes',
  sum: '/docs/lists#totals',
  count: '/docs/lists#totals',
  group: '/docs/lists#groups',
  excel: '/docs/recipes#a-spreadsheet-that-refreshes',
  'power bi': '/docs/recipes#a-spreadsheet-that-refreshes',
  export: '/docs/files#to-a-file-by-a-command',
  xlsx: '/docs/recipes#a-spreadsheet-that-refreshes',
  odata: '/docs/recipes#a-spreadsheet-that-refreshes',
  semicolon: '/docs/files#options-of-the-address',
  'decimal comma': '/docs/files#options-of-the-address',
  'top 10': '/docs/recipes#who-owes-most',
  'per month': '/docs/recipes#how-old-it-is-by-month',
  timezone: '/docs/querying#amounts-and-moments',
};

/** Makes a search over the entries: the best matches first, and equal ones in the order of the pages. */
export function createFinder(entries: readonly SearchEntry[]): (query: string) => Found[] {
  const folded = entries.map((entry) => ({
    entry,
    heading: fold(entry.heading),
    above: fold((entry.above.length > 0 ? entry.above : [entry.heading]).join(' ')),
    text: fold(entry.text),
  }));
  return (query) => {
    const words = wordsOf(query);
    if (words.length === 0) return [];
    const phrase = words.join(' ');
    return folded
      .map(({ entry, heading, above, text }) => {
        const scores = words.map(
          (word) =>
            IN_HEADING * strength(heading, word) +
            IN_PAGE_NAME * strength(above, word) +
            IN_TEXT * strength(text, word) +
            OFTEN * density(text, word),
        );
        const total = scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score);
        const isMeant = heading === phrase || entry.path === EXPLAINED_AT[phrase];
        const { weight = 1 } = entry;
        return { entry, text, score: weight * (isMeant ? total + WHOLE_HEADING : total) };
      })
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .map(({ entry, text }) => ({ entry, snippet: snippetOf(entry.text, text, words) }));
  };
}

function wordsOf(query: string): string[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return words.map((word) => OTHER_WORDS[word] ?? word);
}

/** Without case and accents, with each character in its place. */
function fold(text: string): string {
  return text
    .replace(/[^\0-\x7f]/gu, (character) => {
      const base = character.normalize('NFD')[0]?.toLowerCase() ?? '';
      return base.length === character.length ? base : character;
    })
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function strength(text: string, word: string): number {
  const begun = beginnings(text, word);
  if (begun.some((place) => !isLetter(text[place + word.length]))) return WHOLE;
  if (begun.length > 0) return BEGINS;
  return text.includes(word) ? INSIDE : 0;
}

/** From 0 to 1: how often a text has a word, for its length. */
function density(text: string, word: string): number {
  const times = beginnings(text, word).length;
  return times / (times + 1 + text.length / CHARACTERS);
}

/** Where a word stands: rather where one begins with it than where one contains it. */
function indexOf(text: string, word: string): number {
  return beginnings(text, word)[0] ?? text.indexOf(word);
}

/** Where words begin with this one. In a name such as MAX_CALLS, only the first part begins it. */
function beginnings(text: string, word: string): number[] {
  const places: number[] = [];
  for (let place = text.indexOf(word); place >= 0; place = text.indexOf(word, place + 1))
    if (!isLetter(text[place - 1])) places.push(place);
  return places;
}

function isLetter(character = ''): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}

/** Characters of a snippet: at least so many before the first match, and so many in all. */
const BEFORE = 50;
const LENGTH = 180;

function snippetOf(text: string, folded: string, words: readonly string[]): Piece[] {
  const places = words.map((word) => indexOf(folded, word)).filter((place) => place >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  // From the beginning of a word to the end of another.
  const start = text.lastIndexOf(' ', first - BEFORE) + 1;
  const blank = text.indexOf(' ', start + LENGTH);
  const end = blank < 0 ? text.length : blank;
  return [
    ...(start > 0 ? [{ text: '… ', isMatch: false }] : []),
    ...piecesOf(text.slice(start, end), folded.slice(start, end), words),
    ...(end < text.length ? [{ text: ' …', isMatch: false }] : []),
  ];
}

function piecesOf(text: string, folded: string, words: readonly string[]): Piece[] {
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: match, index } of folded.matchAll(new RegExp(pattern, 'g'))) {
    pieces.push({ text: text.slice(end, index), isMatch: false });
    end = index + match.length;
    pieces.push({ text: text.slice(index, end), isMatch: true });
  }
  pieces.push({ text: text.slice(end), isMatch: false });
  return pieces.filter((piece) => piece.text !== '');
}
