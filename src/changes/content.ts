import { createHash } from 'node:crypto';
import { type Fields, isLeaf } from '../rest/fields.ts';
import { isObject } from '../rest/json.ts';
import type { TextCodec } from '../rest/wire-text.ts';

/** Long enough that two contents of one record never share it. */
const HASH_LENGTH = 22;

/** The same for the same values of the fields, in whichever order and beside whatever else the service sends them. */
export function contentHash(record: object, fields: Fields, text: TextCodec): string {
  return hash(text.jsonBytes(selected(record, fields)));
}

/** Names an event, without a secret: the same wherever and whenever this content of the record is told. */
export function eventIdOf(names: readonly string[], content: string): string {
  return hash(JSON.stringify([...names, content]));
}

function hash(bytes: string): string {
  return createHash('sha256').update(bytes, 'latin1').digest('base64url').slice(0, HASH_LENGTH);
}

/** No record has nearly as many; a service could send enough to exhaust the stack. */
const MAX_LEVELS = 50;

function selected(value: unknown, fields: Fields, level = 0): unknown {
  if (level === MAX_LEVELS) return null;
  if (Array.isArray(value)) return value.map((item) => selected(item, fields, level + 1));
  if (!isObject(value)) return value;
  const names = Object.keys(isLeaf(fields) ? value : fields).sort();
  return names.map((name) => [name, selected(value[name], fields[name] ?? fields, level + 1)]);
}
