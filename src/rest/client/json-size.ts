import { randomInt } from 'node:crypto';
import { isSliceOver, nextSlice } from '../../limits/time-slice.ts';
import { CONTAINER_BYTES, INDEX_BYTES, ITEM_BYTES, isDigit, MEMBER_BYTES } from '../json.ts';

const MAX_VALUES = 500_000;
/** Lists, objects and their members take much longer to parse than items of lists do. */
const MAX_COSTLY_VALUES = 100_000;
const MAX_TEXT_BYTES = 1_000_000;
/** Records whose members all have other names take a hundred times as long to parse: V8 makes a class for each name. */
const MAX_NAMES = 10_000;

const [QUOTE = 0, BACKSLASH, COLON, COMMA, BRACKET, BRACE, U, SPACE = 0] = Buffer.from('"\\:,[{u ');

const STEP_BYTES = 65_536;
/** The length of a number that can be an index, if each of its digits is escaped. */
const MAX_INDEX_BYTES = 60;
/** More of a name are not looked at: so many bytes count for more than a name does. */
const MAX_NAME_BYTES = 1_000;

/** What V8 keeps for a member that no object had behind the same ones: its name, and a class of objects. */
const SHAPE_BYTES = 250;

/** The shapes of objects that bodies of the service have, of which there are few: each three names in a row. */
export class KnownShapes {
  readonly #shapes = new Set<number>();

  /** Whether no body had it lately; from now on it is known. */
  isNew(shape: number): boolean {
    if (this.#shapes.has(shape)) return false;
    if (this.#shapes.size >= MAX_NAMES) this.#shapes.clear();
    this.#shapes.add(shape);
    return true;
  }
}

/** Of names, so that nobody can foresee which have the same. */
const HASH_FACTOR = randomInt(2 ** 30) * 2 + 1;

function hashed(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, HASH_FACTOR);
  return product ^ (product >>> 15);
}

/** Longer bodies are measured before they are parsed, and shorter ones that would take so many times their length. */
const MIN_MEASURED_BYTES = 500_000;
const DENSE = 5;
/** Of shorter bodies, names do not matter. */
const MIN_NAMED_BYTES = 100_000;
/** More than the samples of a page have, whose records all have the same members. */
const MANY_NAMES = 100;

/** A sixteenth of a body is looked at, in parts of this length where nobody can foresee: at least and at most so many. */
const SAMPLE_BYTES = 256;
const [MIN_SAMPLES, MAX_SAMPLES] = [8, 64];

/**
 * What JSON takes in memory once it is parsed: as much as its text, unless most of it is not text; and whether all of it
 * has to be measured first, which takes as long as to parse it. Characters in texts count too, since to tell them apart
 * takes longer.
 */
export function sampleJson(json: Buffer, known: KnownShapes) {
  const { length } = json;
  if (length > MIN_MEASURED_BYTES) return { bytes: length, isSuspect: true };
  const isWhole = length <= MIN_SAMPLES * SAMPLE_BYTES;
  const samples = isWhole ? 1 : Math.min(MAX_SAMPLES, Math.max(MIN_SAMPLES, length >> 12));
  const size = isWhole ? length : SAMPLE_BYTES;
  const names = length < MIN_NAMED_BYTES ? undefined : new Set<number>();
  let structure = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const start = Math.floor(Math.random() * (length - size));
    structure += structureBytes(json, start, start + size, known, names);
  }
  const bytes = Math.max(length, isWhole ? structure : Math.round((structure * length) / (samples * size)));
  return { bytes, isSuspect: bytes > DENSE * length || (names?.size ?? 0) > MANY_NAMES };
}

/** Where the quote stands that ends the name before a colon, if one does: white space may follow it. */
function nameEnd(json: Buffer, colon: number): number {
  let end = colon - 1;
  while (end > 0 && (json[end] ?? 0) <= SPACE) end -= 1;
  return end;
}

/** A number that tells a name from most others. A text of escaped quotes may look like one of any length. */
function nameHash(json: Buffer, end: number): number {
  let hash = 0;
  for (let index = end - 1; index >= Math.max(0, end - MAX_NAME_BYTES); index -= 1) {
    if (json[index] === QUOTE && json[index - 1] !== BACKSLASH) break;
    hash = hashed(hash, json[index] ?? 0);
  }
  return hash;
}

function structureBytes(
  json: Buffer,
  start: number,
  end: number,
  known: KnownShapes,
  names: Set<number> | undefined,
): number {
  let containers = 0;
  let members = 0;
  let indexes = 0;
  let items = 0;
  let added = 0;
  let [last, beforeLast] = [0, 0];
  for (let index = start; index < end; index += 1) {
    const byte = json[index];
    if (byte === COMMA) items += 1;
    else if (byte === COLON) {
      members += 1;
      const nameAt = nameEnd(json, index);
      if (json[nameAt] !== QUOTE) continue;
      if (mayBeIndex(json, nameAt)) indexes += 1;
      const name = nameHash(json, nameAt);
      // The first two of a sample stand behind others that are not seen.
      if (beforeLast !== 0 && known.isNew(hashed(hashed(beforeLast, last), name))) added += 1;
      beforeLast = last;
      last = name;
      names?.add(name);
    } else if (byte === BRACE || byte === BRACKET) containers += 1;
  }
  return memoryOf(containers, members, indexes, items, added);
}

function memoryOf(containers: number, members: number, indexes: number, items: number, added: number) {
  const structure = Math.max(containers * CONTAINER_BYTES, members * MEMBER_BYTES, items * ITEM_BYTES);
  return structure + indexes * INDEX_BYTES + added * SHAPE_BYTES;
}

/** Whether a name may be a number: its digits may be escaped, as in `\u0033`. */
function mayBeIndex(json: Buffer, end: number): boolean {
  for (let index = end - 1; index >= end - 1 - MAX_INDEX_BYTES; index -= 1) {
    const byte = json[index];
    if (byte === QUOTE) return index < end - 1;
    if (!isDigit(byte) && byte !== BACKSLASH && byte !== U) return false;
  }
  return false;
}

/** Measures a long body before it is parsed in one go: `{}` takes fifty bytes of memory, and keys take long to parse. */
export async function measureJson(json: Buffer, owner: string, known: KnownShapes, maxNames = MAX_NAMES) {
  const size = new JsonSize(known, maxNames);
  /** What there is too much of, if there is. */
  let excess: string | undefined;
  for (let start = 0; start < json.length && excess === undefined; start += STEP_BYTES) {
    excess = size.add(json.subarray(start, start + STEP_BYTES));
    if (isSliceOver()) await nextSlice(owner);
  }
  return { excess, bytes: Math.max(json.length, size.bytes) };
}

class JsonSize {
  readonly #known: KnownShapes;
  readonly #maxNames: number;
  readonly #names = new Set<number>();
  #containers = 0;
  #members = 0;
  #indexes = 0;
  #items = 0;
  #isInText = false;
  #isEscaped = false;
  #textBytes = 0;
  #added = 0;
  #last = 0;
  #beforeLast = 0;

  constructor(known: KnownShapes, maxNames: number) {
    this.#known = known;
    this.#maxNames = maxNames;
  }

  get bytes(): number {
    return memoryOf(this.#containers, this.#members, this.#indexes, this.#items, this.#added);
  }

  add(chunk: Buffer): string | undefined {
    // By index, since an iterator takes twice as long.
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (this.#isInText) this.#readText(byte);
      else if (byte === QUOTE) this.#isInText = true;
      else if (byte === COMMA) this.#items += 1;
      else if (byte === COLON) this.#addMember(chunk, index);
      else if (byte === BRACKET || byte === BRACE) this.#containers += 1;
      if (this.#textBytes > MAX_TEXT_BYTES) return 'an answer with too long a text';
    }
    if (this.#names.size > this.#maxNames) return 'an answer of too many different members';
    return this.#items >= MAX_VALUES || this.#containers + this.#members > MAX_COSTLY_VALUES
      ? 'an answer of too many values'
      : undefined;
  }

  #addMember(chunk: Buffer, colon: number): void {
    this.#members += 1;
    const nameAt = nameEnd(chunk, colon);
    const name = nameHash(chunk, nameAt);
    this.#names.add(name);
    const shape = hashed(hashed(this.#beforeLast, this.#last), name);
    if (this.#beforeLast !== 0 && this.#known.isNew(shape)) this.#added += 1;
    this.#beforeLast = this.#last;
    this.#last = name;
    if (mayBeIndex(chunk, nameAt)) this.#indexes += 1;
  }

  #readText(byte: number | undefined): void {
    this.#textBytes += 1;
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInText = false;
      this.#textBytes = 0;
    }
  }
}
