import type { InputFieldMap, ObjectRef } from '@pothos/core';
import { badInput } from '../rest/errors.ts';
import type { Fields } from '../rest/fields.ts';
import { isObject } from '../rest/json.ts';
import { fromLatin1 } from '../rest/latin1.ts';
import { BY_ID, type Key } from '../rest/lookup.ts';
import type { Resource, Row } from '../rest/resource.ts';
import { encodeItem } from '../rest/url.ts';
import { Administration, administrationArgument, administrationId, readableId } from './administration.ts';
import { builder } from './builder.ts';
import { type Estimate, lookupCost, type Scope } from './estimate.ts';
import { internalId } from './global-id.ts';
import type { LoadRecord, RecordRequest } from './loaders.ts';
import { restMetadata } from './metadata.ts';
import { selectionOf } from './selection.ts';

interface Arguments {
  readonly [name: string]: unknown;
}

/** The keys that find a record, by the argument, or the member of `by`, that takes each. */
type Keys = { readonly [argument: string]: Key };

/** One record of a resource as a field: of the query, and of `Administration`. */
export function exposeRecord(
  name: string,
  resource: Resource,
  type: ObjectRef<typeof builder.$inferSchemaTypes, Row>,
  load: LoadRecord<Row>,
  options: { readonly description: string; readonly args: InputFieldMap; readonly keys: Keys },
): void {
  const { description, args, keys } = options;
  const extensions = restMetadata({ cost: (given, scope) => costOf(resource, keys, given, scope) });

  builder.queryField(name, (t) =>
    t.field({
      type,
      description,
      extensions,
      args: { ...administrationArgument, ...args },
      resolve: (_root, given: Arguments, context, info) =>
        load(
          context,
          requestOf(
            resource,
            keys,
            given,
            administrationId(String(given.administrationId)),
            selectionOf(info),
          ),
        ),
    }),
  );
  builder.objectField(Administration, name, (t) =>
    t.field({
      type,
      description,
      extensions,
      args,
      resolve: ({ id }, given: Arguments, context, info) =>
        load(context, requestOf(resource, keys, given, fromLatin1(id), selectionOf(info))),
    }),
  );
}

function requestOf(
  resource: Resource,
  keys: Keys,
  given: Arguments,
  administrationId: string,
  fields: Fields,
): RecordRequest {
  const found = keyIn(keys, given);
  if (found === undefined) throw badInput(`Give one of ${Object.keys(keys).join(', ')}.`);
  const { argument, key } = found;
  const isId = key.filter === BY_ID.filter;
  const value = isId ? internalId(found.value, resource.type, argument, administrationId) : found.value;
  encodeItem(key.filter, value);
  return { administrationId, key, value, fields };
}

function keyIn(keys: Keys, given: Arguments) {
  const by = isObject(given.by) ? given.by : given;
  for (const argument in keys) {
    const key = keys[argument];
    const value = by[argument];
    if (key && typeof value === 'string') return { argument, key, value };
  }
  return undefined;
}

/** Lookups beside each other in one administration are one call. */
function costOf(resource: Resource, keys: Keys, given: Arguments, scope: Scope): Estimate {
  const found = keyIn(keys, given);
  if (found === undefined) return { reads: [], items: 0 };
  const administration =
    given.administrationId === undefined ? scope.administration : readableId(given.administrationId);
  const lookup = { type: resource.type, filter: found.key.filter, keys: [found.value] };
  return lookupCost(lookup, administration === undefined ? scope : { ...scope, administration });
}
