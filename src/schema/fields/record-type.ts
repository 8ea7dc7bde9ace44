import type { EnumRef, FieldMap, GenericFieldRef, ObjectRef, OutputType, TypeParam } from '@pothos/core';
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

/** The types of objects, by their names. */
const types = new Map<string, OutputType<Types>>();

/** A type of records of the service. */
export function recordType<const Table extends RecordTable>(
  name: string,
  table: Table & Checked<Table>,
  { description, refetchedFrom }: { readonly description: string; readonly refetchedFrom?: Resource | null },
): RecordRef {
  const fields: RecordTable = table;
  const extensions = restMetadata({ isMember: true });
  const ref = builder.objectRef<Row>(name).implement({
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
  types.set(name, ref);
  return ref;
}

/** A type of objects that the gateway makes. `never` for Pothos, which would compare each property with its field. */
export function objectType<Source extends object>(
  name: string,
  description: string,
  members: Members,
): ObjectRef<Types, Source> {
  const ref = builder.objectRef<never>(name).implement({
    description,
    fields: (t) => memberFields(t, members),
  });
  types.set(name, ref);
  return ref;
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

const enums = new Map<string, EnumRef<Types, string>>();

/** A kind of values that the service lists without explaining them. */
export function enumType<const Name extends string>(
  name: string,
  description: string,
  values: readonly Name[],
) {
  const ref: EnumRef<Types, string> = builder.enumType(name, {
    description: `${description} The REST service lists the values without explaining them.`,
    values: Object.fromEntries(
      values.map((value) => [
        value,
        { value, description: `\`${value.toLowerCase()}\` of the REST service.` },
      ]),
    ),
  });
  enums.set(name, ref);
  return oneOf(name, values);
}

/** The type of a plain value, in responses as in arguments. */
export function plainType({ kind, typeName = '' }: Member) {
  const type = kind === 'enum' ? enums.get(typeName) : kind === 'object' ? undefined : SCALARS[kind];
  if (type === undefined) throw new Error(`There is no type ${typeName}`);
  return type;
}

function typeOf(member: Member): TypeParam<Types> {
  const type = types.get(member.typeName ?? '') ?? plainType(member);
  return member.isList ? [type] : type;
}

/** The members of a table, without what is made of them. */
export function membersOf(table: RecordTable): Members {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, field]) => ('kind' in field ? [[name, field]] : [])),
  );
}
