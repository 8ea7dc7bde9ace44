import type { ObjectRef, TypeParam } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Row } from '../../rest/resource.ts';
import type { WireText } from '../../rest/wire-text.ts';
import { builder, type Context } from './builder.ts';
import { type Refetch, restMetadata } from './metadata.ts';
import { globalId, Node } from './node.ts';

type Types = typeof builder.$inferSchemaTypes;

/** A field with what the service sends under the same name. */
interface SentField {
  readonly type: TypeParam<Types>;
  readonly description: string;
  readonly nullable: boolean;
  /** The service's name, if it is another than `debtor_number` for `debtorNumber`. */
  readonly restName?: string;
}

/** A field that the gateway makes of what is sent: an id, or another record. */
interface ResolvedField {
  readonly type: 'ID' | RecordType;
  readonly description: string;
  readonly nullable?: boolean;
  readonly resolve: (row: Row, args: object, context: Context, info: GraphQLResolveInfo) => Resolved;
  readonly extensions: { readonly [name: string]: unknown };
}

export interface TypeFields {
  readonly [name: string]: SentField | ResolvedField;
}

type RecordType = ObjectRef<Types, Row>;
type Resolved = WireText | Row | null | Promise<Row | null>;

function fieldKinds(nullable: boolean) {
  const of = (type: TypeParam<Types>, description: string): SentField => ({ type, description, nullable });
  const kind = (type: TypeParam<Types>) => (description: string) => of(type, description);
  return {
    of,
    id: kind('ID'),
    text: kind('String'),
    texts: kind(['String']),
    amount: kind('Amount'),
    moment: kind('DateTime'),
    int: kind('Int'),
    flag: kind('Boolean'),
  };
}

const REQUIRED = fieldKinds(false);

export type FieldKinds = typeof KINDS;

const KINDS = {
  ...fieldKinds(true),
  required: REQUIRED,
  ids: (type: string) => ({
    id: globalId(type),
    internalId: { ...REQUIRED.id("The REST service's own id."), restName: 'id' },
  }),
};

/** A type of records of the service. Each field that is selected is checked when it is serialized. */
export function recordType(
  name: string,
  options: {
    readonly description: string;
    readonly refetch?: Refetch;
    readonly fields: (t: FieldKinds) => TypeFields;
  },
): RecordType {
  const { description, refetch, fields } = options;
  return builder.objectRef<Row>(name).implement({
    description,
    ...(refetch && { interfaces: [Node], extensions: restMetadata({ refetch }) }),
    fields: (t) =>
      Object.fromEntries(
        Object.entries(fields(KINDS)).map(([field, own]) => {
          if ('resolve' in own) return [field, t.field(own)];
          const { restName = snakeCase(field), ...sent } = own;
          const resolve = (row: Row) => Reflect.get(row, restName);
          // As Pothos exposes a property.
          return [field, t.field({ ...sent, resolve, extensions: { pothosExposedField: restName } })];
        }),
      ),
  });
}

/** `trialEndsOn` is `trial_ends_on`, and `street1` is `street_1`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]|\d+/g, (start) => `_${start.toLowerCase()}`);
}
