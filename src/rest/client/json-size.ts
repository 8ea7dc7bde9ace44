import { randomInt } from 'node:crypto';

const MAX_VALUES = 500_000;
/** Lists, objects and their members take much longer to parse than items of lists do. */
const MAX_COSTLY_VALUES = 100_000;
const MAX_TEXT_BYTES = 1_000_000;
/** Records whose members all have other names take a hundred times as long to parse: V8 makes a class for each name. */
const MAX_NAMES = 10_000;

const [QUOTE = 0, BACKSLASH, COLON, COMMA, BRACKET, BRACE, SPACE = 0] = Buffer.from('"\\:,[{ ');

const STEP_BYTES = 65_536;
/** More of a name are not looked at in a sample: a text of escaped quotes may look like one of any length. */
const MAX_NAME_BYTES = 100;

/** Longer bodies are measured before they are parsed. Of those that are much shorter, names do not matter either. */
const MIN_MEASURED_BYTES = 500_000;
const MIN_NAMED_BYTES = 100_000;

/** Parts of a body that are looked at, where nobody can foresee. */
const SAMPLES = 32;
const SAMPLE_BYTES = 256;
/** More than samples of a page have, whose records all have the same members. */
const MANY_NAMES = 100;

/** Of names, so that nobody can foresee which have the same. */
const HASH_FACTOR = randomInt(2 ** 30) * 2 + 1;

/** Whether a body has to be measured before it is parsed, which takes as long as to parse it. */
export function mayTakeLong(json: Buffer): boolean {
  const { length } = json;
  if (length < MIN_NAMED_BYTES || length > MIN_MEASURED_BYTES) return length > MIN_MEASURED_BYTES;
  const names = new Set<number>();
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const start = Math.floor(Math.random() * (length - SAMPLE_BYTES));
    for (let index = start; index < start + SAMPLE_BYTES; index += 1)
      if (json[index] === COLON) names.add(nameBefore(json, index));
  }
  return names.size > MANY_NAMES;
}

/** A number that tells the name before a colon from most others. White space may stand between them. */
function nameBefore(json: Buffer, colon: number): number {
  let end = colon - 1;
  while (end > 0 && (json[end] ?? 0) <= SPACE) end -= 1;
  let hash = 0;
  if (json[end] !== QUOTE) return hash;
  for (let index = end - 1; index >= Math.max(0, end - MAX_NAME_BYTES); index -= 1) {
    if (json[index] === QUOTE && json[index - 1] !== BACKSLASH) break;
    hash = hashed(hash, json[index]);
  }
  return hash;
}

function hashed(hash: number, byte = 0): number {
  const product = Math.imul(hash ^ byte, HASH_FACTOR);
  return product ^ (product >>> 15);
}

/** What a long body has too much of to be parsed in one go, if anything. `pause` says whether anybody still waits. */
export async function excessIn(json: Buffer, pause: () => Promise<boolean>, maxNames = MAX_NAMES) {
  const size = new JsonSize(maxNames);
  let excess: string | undefined;
  for (let start = 0; start < json.length && excess === undefined; start += STEP_BYTES) {
    excess = size.add(json.subarray(start, start + STEP_BYTES));
    if (!(await pause())) break;
  }
  return excess;
}

class JsonSize {
  readonly #maxNames: number;
  readonly #names = new Set<number>();
  #costly = 0;
  #items = 0;
  #isInText = false;
  #isEscaped = false;
  #textBytes = 0;
  /** Of the last text. */
  #textHash = 0;

  constructor(maxNames: number) {
    this.#maxNames = maxNames;
  }

  add(chunk: Buffer): string | undefined {
    // By index, since an iterator takes twice as long.
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (this.#isInText) this.#readText(byte);
      else if (byte === QUOTE) this.#beginText();
      else if (byte === COMMA) this.#items += 1;
      else if (byte === BRACKET || byte === BRACE) this.#costly += 1;
      else if (byte === COLON) {
        this.#costly += 1;
        this.#names.add(this.#textHash);
      }
      if (this.#textBytes > MAX_TEXT_BYTES) return 'an answer with too long a text';
    }
    if (this.#names.size > this.#maxNames) return 'an answer of too many different members';
    return this.#items >= MAX_VALUES || this.#costly > MAX_COSTLY_VALUES
      ? 'an answer of too many values'
      : undefined;
  }

  #beginText(): void {
    this.#isInText = true;
    this.#textHash = 0;
  }

  #readText(byte: number | undefined): void {
    this.#textBytes += 1;
    this.#textHash = hashed(this.#textHash, byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInText = false;
      this.#textBytes = 0;
    }
  }
}
