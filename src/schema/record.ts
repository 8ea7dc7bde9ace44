import type { InputFieldMap, ObjectRef } from '@pothos/core';
import { badInput } from '../rest/errors.ts';
import type { Fields } from '../rest/fields.ts';
import { isObject } from '../rest/json.ts';
import { BY_ID, type Key } from '../rest/lookup.ts';
import type { Resource, Row } from '../rest/resource.ts';
import { encodeItem } from '../rest/url.ts';
import {
  Administration,
  administrationArgument,
  administrationId,
  administrationIdOrText,
} from './administration.ts';
import { builder } from './builder.ts';
import { type Estimate, lookupCost, type Scope } from './estimate.ts';
import { internalId } from './global-id.ts';
import type { LoadRecord, RecordRequest } from './loaders.ts';
import { restMetadata } from './metadata.ts';
import { selectionOf } from './selection.ts';

interface Arguments {
  readonly [name: string]: unknown;
}

/** The lookup key for each argument, or for each field of `by`. */
type Keys = { readonly [argument: string]: Key };

/** Adds a field for one record of a resource to `Query` and to `Administration`. */
export function exposeRecord(
  name: string,
  resource: Resource,
  type: ObjectRef<typeof builder.$inferSchemaTypes, Row>,
  load: LoadRecord<Row>,
  options: { readonly description: string; readonly args: InputFieldMap; readonly keys: Keys },
): void {
  const { description, args: argumentDefinitions, keys } = options;
  const extensions = restMetadata({ cost: (args, scope) => costOf(resource, keys, args, scope) });

  builder.queryField(name, (t) =>
    t.field({
      type,
      description,
      extensions,
      args: { ...administrationArgument, ...argumentDefinitions },
      resolve: (_root, args: Arguments, context, info) =>
        load(
          context,
          requestOf(resource, keys, args, administrationId(String(args.administrationId)), selectionOf(info)),
        ),
    }),
  );
  builder.objectField(Administration, name, (t) =>
    t.field({
      type,
      description,
      extensions,
      args: argumentDefinitions,
      resolve: ({ id }, args: Arguments, context, info) =>
        load(context, requestOf(resource, keys, args, context.rest.text.decode(id), selectionOf(info))),
    }),
  );
}

function requestOf(
  resource: Resource,
  keys: Keys,
  args: Arguments,
  administrationId: string,
  fields: Fields,
): RecordRequest {
  const found = keyIn(keys, args);
  if (found === undefined) throw badInput(`Give one of ${Object.keys(keys).join(', ')}.`);
  const { argument, key } = found;
  const isId = key.filter === BY_ID.filter;
  const value = isId ? internalId(found.value, resource.type, argument, administrationId) : found.value;
  encodeItem(key.filter, value);
  return { administrationId, key, value, fields };
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
function costOf(resource: Resource, keys: Keys, args: Arguments, scope: Scope): Estimate {
  const found = keyIn(keys, args);
  if (found === undefined) return { reads: [], items: 0 };
  const administration =
    args.administrationId === undefined
      ? scope.administration
      : administrationIdOrText(args.administrationId);
  const lookup = { type: resource.type, filter: found.key.filter, keys: [found.value] };
  return lookupCost(lookup, scope, administration);
}
