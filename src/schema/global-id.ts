import { badInput } from '../rest/errors.ts';
import { asciiToLatin1, type Latin1 } from '../rest/latin1.ts';
import { encodeBase64Url } from './base64url.ts';

/** Identifies a record of any type. `administration` is empty for records that belong to none. */
export interface GlobalId {
  readonly type: string;
  readonly administration: string;
  readonly id: string;
}

/** Opaque to clients and URL-safe. */
export function encodeGlobalId({ type, administration, id }: GlobalId): string {
  return Buffer.from(JSON.stringify([type, administration, id])).toString('base64url');
}

/**
 * Encodes the ids of records of one type, as `encodeGlobalId` does. The start of the text is the same for all records
 * of an administration, and is encoded once.
 */
export class GlobalIdEncoder {
  readonly #type: string;
  #administration: Latin1 | null | undefined;
  #encodedStart = '';
  /** The end of the start: three bytes are four digits, so the last one or two are encoded with what follows. */
  #start = '';

  constructor(type: string) {
    this.#type = type;
    this.#setStart(undefined);
  }

  encode(administration: Latin1 | null | undefined, id: Latin1): Latin1 {
    if (administration !== this.#administration) this.#setStart(administration);
    return asciiToLatin1(this.#encodedStart + encodeBase64Url(`${this.#start}${JSON.stringify(id)}]`));
  }

  #setStart(administration: Latin1 | null | undefined): void {
    const start = `${JSON.stringify([this.#type, administration ?? '']).slice(0, -1)},`;
    const encodedLength = start.length - (start.length % 3);
    this.#encodedStart = encodeBase64Url(start.slice(0, encodedLength));
    this.#start = start.slice(encodedLength);
    this.#administration = administration;
  }
}

/** Null for text that is not a global id of this gateway: most likely an internal id. */
export function decodeGlobalId(text: string): GlobalId | null {
  if (!/^WyJ[\w-]+$/.test(text)) return null; // every id starts with ["
  const [type, administration, id] = parseStrings(Buffer.from(text, 'base64url').toString());
  if (type === undefined || administration === undefined || id === undefined) return null;
  const globalId = { type, administration, id };
  return encodeGlobalId(globalId) === text ? globalId : null;
}

/** An id argument accepts a global or an internal id; this returns the internal one. */
export function internalId(text: string, type: string, argument: string, administration?: string): string {
  if (text === '') throw badInput(`\`${argument}\` is empty.`);
  const globalId = decodeGlobalId(text);
  if (globalId === null) return text;
  if (globalId.type !== type) {
    throw badInput(`\`${argument}\` takes the id of a ${type}, and this is the id of a ${globalId.type}.`);
  }
  if (administration !== undefined && globalId.administration !== administration) {
    throw badInput(`\`${argument}\` belongs to another administration than the one named beside it.`);
  }
  return globalId.id;
}

/** For estimates: whether the id belongs here is checked only during execution. */
export function internalIdOrText(id: unknown): string {
  const text = String(id);
  return decodeGlobalId(text)?.id ?? text;
}

function parseStrings(json: string): string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : [];
  } catch {
    return [];
  }
}
