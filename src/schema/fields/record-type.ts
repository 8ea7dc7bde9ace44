import type {
  FieldMap,
  GenericFieldRef,
  GenericInputFieldRef,
  InputFieldMap,
  ObjectRef,
  OutputRef,
  TypeParam,
} from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Resource, Row, RowOrError } from '../../rest/resource.ts';
import { enumOf, type Member, type Members, type RowOf, type ValueKind } from '../../rest/values.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { restMetadata } from './metadata.ts';
import { Node } from './node.ts';

type Types = typeof builder.$inferSchemaTypes;
/** A row may be an Error, which the executor reports at its path. */
export type RecordRef = ObjectRef<Types, RowOrError, Row>;

/** A field that is derived from its source, or from members of a row: an id, or another record. */
interface DerivedField<Source> {
  readonly type: TypeParam<Types> | readonly [OutputRef];
  readonly description: string;
  readonly resolve: (source: Source, args: never, context: Context, info: GraphQLResolveInfo) => unknown;
  /** The members of the row that it needs. */
  readonly needs?: readonly string[];
  /** Other options of Pothos. */
  readonly [option: string]: unknown;
}

/** The fields of a type: members of its source, and fields that are derived from it. */
export interface FieldTable<Source = Row> {
  readonly [name: string]: Member | DerivedField<Source>;
}

/** Rejects a derived field that needs a member which is not in the table. */
type CheckedTable<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly needs: readonly (infer Needs)[] }
    ? [Needs] extends [keyof RowOf<Table>]
      ? Table[Name]
      : never
    : Table[Name];
};

const SCALARS = {
  id: 'ID',
  text: 'String',
  amount: 'Amount',
  timestamp: 'DateTime',
  int: 'Int',
  boolean: 'Boolean',
} as const satisfies { readonly [kind in Exclude<ValueKind, 'enum' | 'object'>]: TypeParam<Types> };

/** Creates the type of a record of the service. */
export function recordType<const Table extends FieldTable>(
  name: string,
  table: Table & CheckedTable<Table>,
  { description, refetchedFrom }: { readonly description: string; readonly refetchedFrom?: Resource | null },
): RecordRef {
  return builder.objectRef<Row>(name).implement({
    description,
    ...(refetchedFrom !== undefined && { interfaces: [Node], extensions: restMetadata({ refetchedFrom }) }),
    fields: (t) => buildFields(t, table, restMetadata({ isMember: true })),
  });
}

/** Creates the type of an object of the gateway. With `never`, Pothos does not compare properties with fields. */
export function objectType<Source extends object>(
  name: string,
  description: string,
  table: FieldTable<Source>,
): ObjectRef<Types, Source> {
  return builder.objectRef<never>(name).implement({ description, fields: (t) => buildFields(t, table) });
}

/** The methods that Pothos' builders of objects and interfaces share. */
interface FieldBuilder {
  expose(name: string, options: object): GenericFieldRef<unknown>;
  field(options: object): GenericFieldRef<unknown>;
}

/** Creates the fields of a table. A member needs no resolver, since it has the name of its field. */
export function buildFields<Source>(t: FieldBuilder, table: FieldTable<Source>, extensions = {}): FieldMap {
  return Object.fromEntries(
    Object.entries(table).map(([name, field]) => {
      if ('resolve' in field) return [name, t.field(field)];
      const { description, nullable } = field;
      return [name, t.expose(name, { type: getType(field), nullable, description, extensions })];
    }),
  );
}

/** Creates an enum whose values the service lists without explaining them. */
export function enumType<const Name extends string>(
  name: string,
  description: string,
  values: readonly Name[],
) {
  const described = values.map((value) => {
    return [value, { value, description: `\`${value.toLowerCase()}\` of the REST service.` }];
  });
  builder.enumType(name, {
    description: `${description} The REST service lists the values without explaining them.`,
    values: Object.fromEntries(described),
  });
  return enumOf(name, values);
}

/** Creates arguments or input fields, with the descriptions of the members. */
export function buildInputFields(
  t: { field(options: object): GenericInputFieldRef },
  members: Members,
): InputFieldMap {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const { description, nullable } = member;
      return [name, t.field({ type: getType(member), required: !nullable, description })];
    }),
  );
}

/** Returns objects and enums by name, which is how Pothos finds them. */
function getType({ kind, typeName, isList }: Member) {
  const type = kind === 'enum' || kind === 'object' ? typeName : SCALARS[kind];
  return isList ? [type] : type;
}

/** Returns the members of a table, without its derived fields. */
export function getMembers(table: FieldTable): Members {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, field]) => ('resolve' in field ? [] : [[name, field]])),
  );
}
