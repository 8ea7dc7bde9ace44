// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {'src' | 'test' | 'tools'} Part */

/** @type {Record<Part, string[]>} */
const FOLDERS = { src: ['src'], test: ['test'], tools: ['bench', 'scripts'] };

/** Matches a comment, or the rest of one, that continues like this. @param {string} rest */
const comment = (rest) => new RegExp(`^\\s*(?:/\\*\\*|\\*|//) ${rest}`);

/**
 * Habits that make code hard to read, and how many lines may have each. Lower a limit once its count has fallen.
 * @type {(Record<Part, number> & { name: string, pattern: RegExp })[]}
 */
// biome-ignore format: a table
const HABITS = [
  { src: 0, test: 0, tools: 0, name: 'a comment starts with "Of"', pattern: comment('Of ') },
  { src: 0, test: 0, tools: 0, name: 'a comment starts with "What" or "Who"', pattern: comment('(?:What|Who|Whose|Whom)(?:ever)? ') },
  { src: 42, test: 6, tools: 0, name: 'a comment starts with a preposition', pattern: comment('(?:By|With|Without|As|In|From|For|Until|Unless|Once|Behind|Before|After) ') },
  { src: 0, test: 0, tools: 0, name: 'a comment has "tell" or "told"', pattern: comment('.*\\b(?:told|tells?|telling)\\b') },
  { src: 4, test: 1, tools: 2, name: 'a comment has "behind", "beside", "anew", "nevertheless" or "meanwhile"', pattern: comment('.*\\b(?:behind|beside|anew|nevertheless|meanwhile)\\b') },
  { src: 13, test: 0, tools: 0, name: 'a comment has "is no" or "is none"', pattern: comment('.*\\b(?:is|are|be|was|were) (?:no|none)\\b') },
  { src: 16, test: 7, tools: 1, name: 'a comment has "whose" or "whom"', pattern: comment('.*\\b(?:whose|whom)\\b') },
  { src: 0, test: 0, tools: 0, name: 'a comment has "go on"', pattern: comment('.*\\b(?:goes|go|going|went) on\\b') },
  { src: 0, test: 0, tools: 0, name: 'a name starts with "of"', pattern: /\bof(?!Type\b)[A-Z]\w*/ },
  { src: 0, test: 0, tools: 0, name: 'a name or text is "told"', pattern: /\b(?:told|untold)\b/ },
];

/** @type {(folder: string) => { place: string, text: string }[]} */
const readLines = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && !/generated|node_modules/.test(path))
    .flatMap((path) => {
      const file = join(folder, path);
      return readFileSync(file, 'utf8')
        .split('\n')
        .map((text, index) => ({ place: `${file}:${index + 1}`, text }));
    });

const parts = /** @type {Part[]} */ (Object.keys(FOLDERS));
for (const part of parts) {
  const lines = FOLDERS[part].flatMap(readLines);
  for (const { name, pattern, [part]: limit } of HABITS) {
    const found = lines.filter(({ text }) => pattern.test(text));
    if (process.argv.includes('--print')) console.log(`${part}: ${found.length} of ${limit}: ${name}`);
    else if (found.length > limit) {
      console.error(
        `${found.length} lines of ${part}, rather than ${limit}: ${name}. See "Code style" in CONTRIBUTING.md.`,
      );
      for (const { place, text } of found) console.error(`  ${place}: ${text.trim()}`);
      process.exitCode = 1;
    }
  }
}
