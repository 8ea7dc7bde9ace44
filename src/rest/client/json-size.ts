import { randomInt } from 'node:crypto';

const MAX_VALUES = 500_000;
/** Lists, objects and their members take much longer to parse than items of lists do. */
const MAX_COSTLY_VALUES = 100_000;
const MAX_TEXT_BYTES = 1_000_000;
/** Records whose members all have other names take a hundred times as long to parse: V8 makes a class for each name. */
const MAX_NAMES = 10_000;
/** More than records of one kind have. V8 makes a class for each combination of them, too. */
const COMBINED_NAMES = 1_000;
const MAX_COMBINED_VALUES = 40_000;

const [QUOTE = 0, BACKSLASH, COLON, COMMA, BRACKET, BRACE] = Buffer.from('"\\:,[{');

const STEP_BYTES = 65_536;

/** Longer bodies are measured before they are parsed. Of those that are much shorter, names do not matter either. */
const MIN_MEASURED_BYTES = 500_000;
const MIN_NAMED_BYTES = 100_000;

/** Parts of a body that are looked at, where nobody can foresee. */
const SAMPLES = 32;
const SAMPLE_BYTES = 256;
/** More than samples of a page have, whose records all have the same members. */
const MANY_NAMES = 100;

/** Whether a body has to be measured before it is parsed, which takes as long as to parse it. */
export function mayTakeLong(json: Buffer): boolean {
  const { length } = json;
  if (length < MIN_NAMED_BYTES || length > MIN_MEASURED_BYTES) return length > MIN_MEASURED_BYTES;
  const names = new Set<number>();
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const start = Math.floor(Math.random() * (length - SAMPLE_BYTES));
    let [opening, closing] = [start, start];
    for (let index = start; index < start + SAMPLE_BYTES; index += 1) {
      if (json[index] === QUOTE) {
        opening = closing;
        closing = index;
      } else if (json[index] === COLON) names.add(hashOf(json, opening, closing));
    }
  }
  return names.size > MANY_NAMES;
}

/** What a long body has too much of to be parsed in one go, if anything. `pause` says whether anybody still waits. */
export async function excessIn(json: Buffer, pause: () => Promise<boolean>, maxNames = MAX_NAMES) {
  const names = new Set<number>();
  let items = 0;
  /** Lists, objects and members. */
  let costly = 0;
  let [opening, closing, nextPause] = [0, 0, STEP_BYTES];
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (byte === QUOTE) {
      opening = index;
      closing = endOfText(json, opening);
      index = closing;
      if (closing - opening > MAX_TEXT_BYTES) return 'an answer with too long a text';
    } else if (byte === COMMA) items += 1;
    else if (byte === BRACKET || byte === BRACE) costly += 1;
    else if (byte === COLON) {
      costly += 1;
      names.add(hashOf(json, opening, closing));
      // So that no text is read twice.
      opening = closing;
    }
    if (index < nextPause && index < json.length - 1) continue;
    if (names.size > maxNames) return 'an answer of too many different members';
    const mostCostly =
      names.size > COMBINED_NAMES && maxNames === MAX_NAMES ? MAX_COMBINED_VALUES : MAX_COSTLY_VALUES;
    if (items >= MAX_VALUES || costly > mostCostly) return 'an answer of too many values';
    if (!(await pause())) return undefined;
    nextPause = index + STEP_BYTES;
  }
  return undefined;
}

/** Of names, so that nobody can foresee which have the same. */
const HASH_FACTOR = randomInt(2 ** 30) * 2 + 1;

/** A number that tells the text between two quotes from most others. */
function hashOf(json: Buffer, opening: number, closing: number): number {
  let hash = 0;
  for (let index = opening + 1; index < closing; index += 1) {
    const product = Math.imul(hash ^ (json[index] ?? 0), HASH_FACTOR);
    hash = product ^ (product >>> 15);
  }
  return hash;
}

/** Where its closing quote stands, which no odd number of backslashes precedes; the end of the body if there is none. */
function endOfText(json: Buffer, opening: number): number {
  for (let end = json.indexOf(QUOTE, opening + 1); end >= 0; end = json.indexOf(QUOTE, end + 1)) {
    // Half a million of them may be escaped, and each takes a call.
    if (end - opening > MAX_TEXT_BYTES) break;
    let first = end;
    while (json[first - 1] === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return json.length;
}
