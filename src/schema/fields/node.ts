import { isUtf8 } from 'node:buffer';
import { type GraphQLResolveInfo, isObjectType } from 'graphql';
import { asciiToBase64url, BASE64URL, toBase64url } from '../../base64url.ts';
import { compositeKey } from '../../composite-key.ts';
import { countResolved } from '../../execution/execution-context.ts';
import { getOrCreate, weakMemoize } from '../../memoize.ts';
import { badInput, InvalidValue, tooManyReads } from '../../rest/errors.ts';
import { BY_ID } from '../../rest/lookup.ts';
import { isValidRow } from '../../rest/rows.ts';
import { isSendableItem } from '../../rest/url.ts';
import { id } from '../../rest/values.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import {
  type CostScope,
  derivedField,
  type Estimate,
  getRestMetadata,
  getSelection,
  lookupCost,
  restMetadata,
} from './metadata.ts';

/** Identifies a record of any type. `administration` is empty for records without one. */
interface GlobalId {
  readonly type: string;
  readonly administration: string;
  readonly id: string;
}

export function encodeGlobalId({ type, administration, id }: GlobalId): string {
  // Most ids have nothing to escape. Each is tested for itself: the text of both would have to be copied.
  if (PLAIN.test(administration) && PLAIN.test(id))
    return asciiToBase64url(`["${type}","${administration}","${id}"]`);
  return toBase64url(JSON.stringify([type, administration, id]));
}

const PLAIN = /^[\w.:-]*$/;

/** No global id is longer, since an administration and an id have at most 1,000 bytes each in a URL. */
const MAX_LENGTH = 8_000;

/** Tested first: a failing `JSON.parse` takes ten times as long, and a request may contain tens of thousands of ids. */
const STRING = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const THREE_STRINGS = new RegExp(`^\\[${[STRING, STRING, STRING]}\\]$`);

/** Returns null if the text is not a global id, and thus most likely an internal id. */
export function decodeGlobalId(text: string): GlobalId | null {
  if (text.length > MAX_LENGTH || !text.startsWith('WyJ') || !BASE64URL.test(text)) return null; // starts with ["
  const bytes = Buffer.from(text, 'base64url');
  const json = bytes.toString();
  if (!isUtf8(bytes) || !THREE_STRINGS.test(json)) return null;
  const [type, administration, id]: [string, string, string] = JSON.parse(json);
  return { type, administration, id };
}

/** Returns the internal id of an argument, which accepts a global one too. */
export function internalId(text: string, type: string, argument: string, administration?: string): string {
  if (text === '') throw badInput(`\`${argument}\` must not be an empty id.`);
  const globalId = decodeGlobalId(text);
  if (globalId === null) return text;
  if (globalId.type !== type) {
    throw badInput(`\`${argument}\` takes the id of a ${type}, and this is the id of a ${globalId.type}.`);
  }
  if (administration !== undefined && globalId.administration !== administration) {
    throw badInput(`\`${argument}\` belongs to another administration than \`administrationId\`.`);
  }
  return globalId.id;
}

export function administrationId(text: string, argument = 'administrationId'): string {
  return internalId(text, 'Administration', argument);
}

/** Memoized, since all aliases that use the same variable share one array. */
const internalIdCache = weakMemoize((_ids: readonly string[]) => new Map<string, readonly string[]>());

export function internalIds(
  ids: readonly string[],
  type: string,
  argument: string,
  administration?: string,
): readonly string[] {
  const name = compositeKey(type, argument, administration);
  const decode = () => ids.map((id) => internalId(id, type, argument, administration));
  return getOrCreate<string, readonly string[]>(internalIdCache(ids), name, decode);
}

/** The id fields of a record type. */
export function recordIds(type: string) {
  return {
    id: {
      type: 'ID',
      nullable: false,
      description: 'Global, opaque id.',
      ...derivedField(['internalId'], (row) => {
        // An administration belongs to itself.
        const administration: unknown =
          type === 'Administration' ? row.internalId : (row.administrationId ?? '');
        // Rows of lists were checked earlier; a task, its user and comments, and a token's company were not.
        if (!isValidRow(row) || typeof administration !== 'string')
          return new InvalidValue('an id that is no text');
        return encodeGlobalId({ type, administration, id: row.internalId });
      }),
    },
    internalId: id.required("The REST service's own id.", 'id'),
  } as const;
}

/** REST records contain no type name, so the type with which each was fetched is stored here. */
const typeNames = new WeakMap<object, string>();

/** A record that needs no fetching. Thousands of them would make a WeakMap slow. */
class UnfetchedRecord {
  constructor(
    readonly internalId: string,
    readonly typeName: string,
  ) {}
}

export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'An object that can be fetched again by its global id.',
  resolveType: (record) => (record instanceof UnfetchedRecord ? record.typeName : typeNames.get(record)),
  fields: (t) => ({
    id: t.id({ nullable: false, description: 'Global, opaque id.' }),
  }),
});

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    description: 'The record with this global id, or null if it no longer exists. Needs a Bearer token.',
    args: { id: t.arg.id({ required: true, description: 'The global id.' }) },
    extensions: restMetadata({ cost: ({ id }, scope) => nodesCost([id], scope) }),
    resolve: async (_root, { id }, context, info) => (await fetchNodes([id], context, info))[0],
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description:
      'The records with these global ids, in the same order. An item is null if the record no longer exists. Needs a ' +
      'Bearer token.',
    args: { ids: t.arg.idList({ required: true, description: 'The global ids.' }) },
    extensions: restMetadata({ cost: ({ ids }, scope) => nodesCost(Array.isArray(ids) ? ids : [], scope) }),
    resolve: (_root, { ids }, context, info) => fetchNodes(ids, context, info),
  }),
);

/** Created once, since a list may contain ten thousand of them. */
const UNFETCHABLE = badInput('`id` is of a type whose records cannot be fetched by their ids.');
const NOT_A_GLOBAL_ID = badInput('`id` is not a global id. Use the field `id` of a record.');
const UNSENDABLE = badInput(
  'A value of `ids` is empty, too long, or holds a comma or half of a surrogate pair, and cannot be sent.',
);

/** Fetches records by global id with the selected fields. Returns a record, null or an Error for each id. */
async function fetchNodes(
  globalIds: readonly string[],
  { dataSource: { loaders, maxFirst, session } }: Context,
  info: GraphQLResolveInfo,
) {
  const { ids, lookups } = decodeIds(globalIds, maxFirst);
  countResolved(info, ids.length);
  if (lookups.size > session.maxCalls) throw tooManyReads(lookups.size, session.maxCalls);
  const recordsByType = new Map<string, readonly (object | null)[]>();
  const fetchType = async (name: string): Promise<void> => {
    const type = info.schema.getType(name);
    const { refetchedFrom: resource } = isObjectType(type) ? getRestMetadata(type) : {};
    const refs = ids.map((globalId) => {
      if (globalId?.type !== name) return null;
      const { administration, id: value } = globalId;
      if (resource === undefined) return UNFETCHABLE;
      return isSendableItem(value) ? { administrationId: administration, value } : UNSENDABLE;
    });
    const records = resource
      ? await loaders.records(resource, BY_ID, { refs, fields: getSelection(info, name) })
      : refs.map((ref) => (ref instanceof Error ? ref : ref && new UnfetchedRecord(ref.value, name)));
    if (resource) for (const record of records) if (record) typeNames.set(record, name);
    recordsByType.set(name, records);
  };
  await Promise.all(Array.from(new Set(ids.flatMap((globalId) => globalId?.type ?? [])), fetchType));
  return ids.map((globalId, index) =>
    globalId ? (recordsByType.get(globalId.type)?.[index] ?? null) : NOT_A_GLOBAL_ID,
  );
}

/** Memoized, since the estimate and all aliases of one variable share an array. */
const decodeAll = weakMemoize((texts: readonly unknown[]) => {
  /** Groups ids by type and administration. */
  const lookups = new Map<string, GlobalId[]>();
  const ids = texts.map((text) => (typeof text === 'string' ? decodeGlobalId(text) : null));
  for (const globalId of ids) {
    if (globalId && globalId.type !== 'Administration')
      getOrCreate(lookups, compositeKey(globalId.type, globalId.administration), () => []).push(globalId);
  }
  const getAdministration = (globalId: GlobalId | null) =>
    globalId?.type === 'Administration' ? globalId.id : globalId?.administration;
  return { ids, lookups, administrations: new Set(ids.map(getAdministration)).size };
});

function decodeIds(texts: readonly unknown[], maxFirst: number) {
  if (texts.length > maxFirst) throw badInput(`\`ids\` takes at most ${maxFirst} ids at a time.`);
  return decodeAll(texts);
}

function nodesCost(texts: readonly unknown[], scope: CostScope): Estimate {
  const { ids, lookups, administrations } = decodeIds(texts, scope.maxFirst);
  const reads = Array.from(lookups.values()).flatMap((group) => {
    const { type = '', administration } = group[0] ?? {};
    const keys = group.map(({ id }) => id);
    return lookupCost({ type }, BY_ID.filter, keys, administration, scope).reads;
  });
  return { reads, scope: { records: ids.length, administrations } };
}
