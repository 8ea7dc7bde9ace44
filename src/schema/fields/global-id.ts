import { getOrCreate, weakMemoize } from '../../memoize.ts';
import { badInput } from '../../rest/errors.ts';

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

/** No global id is longer: neither an administration nor an id has more than a thousand bytes in a URL. */
const MAX_LENGTH = 8_000;

/** Looked at first: JSON that cannot be parsed takes ten times as long, and a request may hold tens of thousands. */
const STRING = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const THREE_STRINGS = new RegExp(`^\\[${[STRING, STRING, STRING]}\\]$`);

/** Null for text that is not a global id of this gateway: most likely an internal id. */
export function decodeGlobalId(text: string): GlobalId | null {
  if (text.length > MAX_LENGTH || !/^WyJ[\w-]+$/.test(text)) return null; // every id starts with ["
  const json = Buffer.from(text, 'base64url').toString();
  if (!THREE_STRINGS.test(json)) return null;
  const [type, administration, id]: [string, string, string] = JSON.parse(json);
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

/** The internal id of an administration. */
export function administrationId(given: string, argument = 'administrationId'): string {
  return internalId(given, 'Administration', argument);
}

/** Memoized: all aliases that use the same variable share one array. */
const knownIds = weakMemoize((_ids: readonly string[]) => new Map<string, readonly string[]>());

export function internalIds(
  ids: readonly string[],
  type: string,
  argument: string,
  administration?: string,
): readonly string[] {
  const name = JSON.stringify([type, argument, administration]);
  const decode = () => ids.map((id) => internalId(id, type, argument, administration));
  return getOrCreate<string, readonly string[]>(knownIds(ids), name, decode);
}
