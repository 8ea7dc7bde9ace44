import type { InputFieldMap } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Arguments } from '../../execution/arguments.ts';
import { badInput, invalid, RestError } from '../../rest/errors.ts';
import type { Fields } from '../../rest/fields.ts';
import { isObject } from '../../rest/json.ts';
import { BY_ID, type Key } from '../../rest/lookup.ts';
import { inAdministration, isValidRow } from '../../rest/page-body.ts';
import type { Resource, Row } from '../../rest/resource.ts';
import { rowMaker } from '../../rest/rows.ts';
import type { Call, RestSession } from '../../rest/session.ts';
import type { Members } from '../../rest/values.ts';
import { Administration, administrationArgument, administrationId, ownScope } from './administration.ts';
import { builder, type Context } from './builder.ts';
import { type CostScope, type Estimate, lookupCost, NOTHING_READ } from './estimate.ts';
import { internalId } from './global-id.ts';
import { loadRecord } from './loaders.ts';
import { restMetadata } from './metadata.ts';
import type { RecordRef } from './record-type.ts';
import { selectionOf } from './selection.ts';

/** The lookup key for each argument, or for each field of `by`. */
type Keys = { readonly [argument: string]: Key };

/** Adds a field for one record of a resource to `Query` and to `Administration`. */
export function exposeRecord(
  name: string,
  resource: Resource,
  type: RecordRef,
  options: { readonly description: string; readonly args: InputFieldMap; readonly keys: Keys },
): void {
  const { description, args: argumentDefinitions, keys } = options;
  const loadBy = (administration: string, args: Arguments, context: Context, info: GraphQLResolveInfo) => {
    const found = keyIn(keys, args);
    if (found === undefined) throw badInput(`Give one of ${Object.keys(keys).join(', ')}.`);
    const { argument, key, value: given } = found;
    const isId = key.filter === BY_ID.filter;
    const value = isId ? internalId(given, resource.type, argument, administration) : given;
    return loadRecord(context, resource, key, { administrationId: administration, value }, selectionOf(info));
  };
  const extensions = restMetadata({ cost: (args, scope) => recordCost(resource, keys, args, scope) });

  builder.queryField(name, (t) =>
    t.field({
      type,
      description,
      extensions,
      args: { ...administrationArgument, ...argumentDefinitions },
      resolve: (_root, { administrationId: given, ...args }, context, info) =>
        loadBy(administrationId(given), args, context, info),
    }),
  );
  builder.objectField(Administration, name, (t) =>
    t.field({
      type,
      description,
      extensions,
      args: argumentDefinitions,
      resolve: ({ internalId: own }, args: Arguments, context, info) => loadBy(own, args, context, info),
    }),
  );
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
  return lookupCost(resource.type, found.key.filter, [found.value], ownScope(args, parent));
}

/** The record that a call returns alone: the one that was asked for, in its administration if that is known. */
export async function receiveRecord(
  rest: RestSession,
  wanted: {
    readonly what: string;
    readonly id: string;
    readonly administration: string | undefined;
    readonly members: Members;
    readonly fields: Fields;
  },
  call: Call,
): Promise<Row> {
  const { what, id, administration, members, fields } = wanted;
  const upstream = { method: call.method, path: call.path };
  const record = await rest.receive(call, ({ body }) => {
    const row = isObject(body) ? rowMaker(members, fields)(body) : undefined;
    if (!isValidRow(row)) throw invalid(upstream, `a ${what} without an identifier`);
    if (row.internalId !== id) throw invalid(upstream, `another ${what} than the one asked for`);
    if (administration === undefined) return row;
    return inAdministration(row, administration, (problem) => invalid(upstream, problem));
  });
  if (record instanceof RestError) throw record;
  return record;
}
