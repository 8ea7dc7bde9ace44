import type { InputFieldMap, ObjectRef } from '@pothos/core';
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  isScalarType,
} from 'graphql';
import type { Arguments } from '../../execution/arguments.ts';
import type { PlainShape, RecordFields, Shape } from '../../lists/record-fields.ts';
import { badInput, invalid, RestError } from '../../rest/errors.ts';
import { isObject } from '../../rest/json.ts';
import { BY_ID, type Key } from '../../rest/lookup.ts';
import { inAdministration, isValidRow } from '../../rest/page-body.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import type { Call, RestSession } from '../../rest/session.ts';
import { Administration, administrationArgument, administrationId, ownScope } from './administration.ts';
import { builder, type Context } from './builder.ts';
import { countArguments, countLoad } from './count-loads.ts';
import {
  type CostScope,
  type Estimate,
  leastInEach,
  leastOfLookup,
  lookupCost,
  NOTHING_READ,
} from './estimate.ts';
import { internalId } from './global-id.ts';
import { loadRecord } from './loaders.ts';
import { restMetadata } from './metadata.ts';
import { restName, selectionOf } from './selection.ts';

/** The lookup key for each argument, or for each field of `by`. */
type Keys = { readonly [argument: string]: Key };

/** Adds a field for one record of a resource to `Query` and to `Administration`. */
export function exposeRecord(
  name: string,
  resource: Resource,
  type: ObjectRef<typeof builder.$inferSchemaTypes, Row>,
  options: { readonly description: string; readonly args: InputFieldMap; readonly keys: Keys },
): void {
  const { description, args: argumentDefinitions, keys } = options;
  const loadBy = (administrationId: string, args: Arguments, context: Context, info: GraphQLResolveInfo) => {
    countLoad(context, { values: countArguments(args) });
    const { key, value } = requestedKey(resource, keys, args, administrationId);
    return loadRecord(context, resource, key, { administrationId, value }, selectionOf(info));
  };
  const extensions = restMetadata({ cost: (args, scope) => recordCost(resource, keys, args, scope) });

  builder.queryField(name, (t) =>
    t.field({
      type,
      description,
      extensions,
      args: { ...administrationArgument, ...argumentDefinitions },
      resolve: (_root, args: Arguments, context, info) =>
        loadBy(administrationId(String(args.administrationId)), args, context, info),
    }),
  );
  builder.objectField(Administration, name, (t) =>
    t.field({
      type,
      description,
      extensions,
      args: argumentDefinitions,
      resolve: ({ id }, args: Arguments, context, info) =>
        loadBy(context.rest.text.decode(id), args, context, info),
    }),
  );
}

function requestedKey(resource: Resource, keys: Keys, args: Arguments, administrationId: string) {
  const found = keyIn(keys, args);
  if (found === undefined) throw badInput(`Give one of ${Object.keys(keys).join(', ')}.`);
  const { argument, key } = found;
  const isId = key.filter === BY_ID.filter;
  const value = isId ? internalId(found.value, resource.type, argument, administrationId) : found.value;
  return { key, value };
}

function keyIn(keys: Keys, args: Arguments) {
  const by = isObject(args.by) ? args.by : args;
  for (const argument in keys) {
    const key = keys[argument];
    const value = by[argument];
    if (key && typeof value === 'string') return { argument, key, value };
  }
  return undefined;
}

/** Lookups in the same administration share a call. */
function recordCost(resource: Resource, keys: Keys, args: Arguments, parent: CostScope): Estimate {
  const found = keyIn(keys, args);
  if (found === undefined) return NOTHING_READ;
  const scope = ownScope(args, parent);
  const lookup = { type: resource.type, filter: found.key.filter, keys: [found.value] };
  const least = () =>
    leastInEach(scope, (given) => {
      const own = administrationId(String(given));
      return leastOfLookup({ ...lookup, keys: [requestedKey(resource, keys, args, own).value] }, own);
    });
  return { ...lookupCost(lookup, scope), least };
}

/** The record that a call returns alone: the one that was asked for, in its administration if that is known. */
export async function receiveRecord(
  rest: RestSession,
  wanted: { readonly what: string; readonly id: string; readonly administration: string | undefined },
  call: Call,
): Promise<Row> {
  const { what, id, administration } = wanted;
  const upstream = { method: call.method, path: call.path };
  const { text } = rest;
  const record = await rest.receive(call, ({ body }) => {
    if (!isValidRow(body, text)) throw invalid(upstream, `a ${what} without an identifier`);
    if (body.id !== text.encode(id)) throw invalid(upstream, `another ${what} than the one asked for`);
    if (administration === undefined) return body;
    return inAdministration(body, text.encode(administration), (what) => invalid(upstream, what));
  });
  if (record instanceof RestError) throw record;
  return record;
}

const KINDS: { readonly [scalar: string]: PlainShape['kind'] } = {
  String: 'text',
  ID: 'id',
  Amount: 'amount',
  Int: 'int',
  DateTime: 'dateTime',
  Boolean: 'boolean',
};

/** The fields of a type that expose a field of the service's records. */
export function recordFieldsOf(type: GraphQLObjectType): RecordFields {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const name = restName(field);
    const shape = name === undefined ? undefined : shapeOf(getNullableType(field.type));
    return name === undefined || shape === undefined ? [] : [{ name: field.name, restName: name, shape }];
  });
  return new Map(fields.map((field) => [field.name, field]));
}

function shapeOf(type: GraphQLOutputType): Shape | undefined {
  if (isListType(type)) {
    const item = shapeOf(getNullableType(type.ofType));
    return item === undefined || item.kind === 'list' ? undefined : { kind: 'list', item };
  }
  if (isObjectType(type)) return { kind: 'object', typeName: type.name, fields: recordFieldsOf(type) };
  if (isEnumType(type)) {
    const enumNames = new Map(type.getValues().map(({ name, value }) => [String(value), name]));
    return { kind: 'enum', typeName: type.name, enumNames };
  }
  const kind = isScalarType(type) ? KINDS[type.name] : undefined;
  return kind && { kind };
}
