import type { FieldMap, GenericFieldRef, ObjectRef, TypeParam } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { ReadRow, Resource, Row } from '../../rest/resource.ts';
import { type Member, type Members, oneOf, type RowOf, type ValueKind } from '../../rest/values.ts';
import { builder, type Context } from './builder.ts';
import { restMetadata } from './metadata.ts';
import { Node } from './node.ts';

type Types = typeof builder.$inferSchemaTypes;
/** In place of a row there may be an Error, which the executor reports at its path. */
export type RecordRef = ObjectRef<Types, ReadRow, Row>;

/** A field that the gateway makes of members of the row: an id, or another record. */
interface MadeField<Needs extends string = string> {
  readonly type: 'ID' | RecordRef;
  readonly description: string;
  readonly nullable?: boolean;
  readonly resolve: (
    row: Row,
    args: object,
    context: Context,
    info: GraphQLResolveInfo,
  ) => string | Row | null | Promise<Row | null>;
  readonly extensions: { readonly [name: string]: unknown };
  /** The members that it is made of. */
  readonly needs: readonly Needs[];
}

/** The fields of a type: members of the service's records, and what is made of them. */
export interface RecordTable {
  readonly [name: string]: Member | MadeField;
}

/** Refuses a made field that needs a member which the table does not have. */
type Checked<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends MadeField<infer Needs>
    ? [Needs] extends [keyof RowOf<Table>]
      ? Table[Name]
      : never
    : Table[Name];
};

const SCALARS = {
  id: 'ID',
  text: 'String',
  amount: 'Amount',
  moment: 'DateTime',
  int: 'Int',
  flag: 'Boolean',
} as const satisfies { readonly [kind in Exclude<ValueKind, 'enum' | 'object'>]: TypeParam<Types> };

/** A type of records of the service. */
export function recordType<const Table extends RecordTable>(
  name: string,
  table: Table & Checked<Table>,
  { description, refetchedFrom }: { readonly description: string; readonly refetchedFrom?: Resource | null },
): RecordRef {
  const fields: RecordTable = table;
  const extensions = restMetadata({ isMember: true });
  return builder.objectRef<Row>(name).implement({
    description,
    ...(refetchedFrom !== undefined && { interfaces: [Node], extensions: restMetadata({ refetchedFrom }) }),
    fields: (t) =>
      Object.fromEntries(
        Object.entries(fields).map(([field, own]) => [
          field,
          'resolve' in own ? t.field(own) : memberField(t, field, own, extensions),
        ]),
      ),
  });
}

/** A type of objects that the gateway makes. `never` for Pothos, which would compare each property with its field. */
export function objectType<Table extends Members>(
  name: string,
  description: string,
  members: Table,
): ObjectRef<Types, RowOf<Table>> {
  return builder.objectRef<never>(name).implement({ description, fields: (t) => memberFields(t, members) });
}

/** What both builders of Pothos have, for objects and for interfaces. */
interface FieldBuilder {
  expose(name: string, options: object): GenericFieldRef<unknown>;
}

/** A field for each of these members of its source. */
export function memberFields(t: FieldBuilder, members: Members): FieldMap {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, memberField(t, name, member)]),
  );
}

/** The member of the same name, which needs no resolver. */
function memberField(t: FieldBuilder, name: string, member: Member, extensions = {}) {
  const { description, nullable } = member;
  return t.expose(name, { type: typeOf(member), nullable, description, extensions });
}

/** A kind of values that the service lists without explaining them. */
export function enumType<const Name extends string>(
  name: string,
  description: string,
  values: readonly Name[],
) {
  builder.enumType(name, {
    description: `${description} The REST service lists the values without explaining them.`,
    values: Object.fromEntries(
      values.map((value) => [
        value,
        { value, description: `\`${value.toLowerCase()}\` of the REST service.` },
      ]),
    ),
  });
  return oneOf(name, values);
}

/** Objects and enums by their names, by which Pothos finds them. */
function typeOf({ kind, typeName, isList }: Member) {
  const type = kind === 'enum' || kind === 'object' ? typeName : SCALARS[kind];
  return isList ? [type] : type;
}

/** The type of a plain value in arguments. */
export function inputTypeOf({ kind, typeName = '' }: Member) {
  return kind === 'enum' || kind === 'object' ? builder.configStore.getInputTypeRef(typeName) : SCALARS[kind];
}

/** The members of a table, without what is made of them. */
export function membersOf(table: RecordTable): Members {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, field]) => ('kind' in field ? [[name, field]] : [])),
  );
}
