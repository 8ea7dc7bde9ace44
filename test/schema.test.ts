import { readFileSync } from 'node:fs';
import {
  type GraphQLField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  printSchema,
} from 'graphql';
import { expect, test } from 'vitest';
import type { Row } from '../src/rest/resource.ts';
import { builder } from '../src/schema/fields/builder.ts';
import { exposeChanges } from '../src/schema/fields/change.ts';
import { RESOURCES, schema } from '../src/schema/index.ts';

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

test('every type, field, argument and enum value has a description', () => {
  const silent = types.flatMap((type) => [[type.name, type] as const, ...partsOf(type)]);
  expect(silent.filter(([, part]) => !part.description).map(([name]) => name)).toEqual([]);
});

test('schema.graphql is current: otherwise run npm run codegen', () => {
  expect(printSchema(schema)).toBe(readFileSync('schema.graphql', 'utf8'));
});

test('`Administration` has the same lists and records as `Query`', () => {
  const administration = schema.getType('Administration');
  const offered = isObjectType(administration) ? Object.values(administration.getFields()) : [];
  const query = schema.getQueryType()?.getFields() ?? {};
  const namesOf = (field?: GraphQLField<unknown, unknown>) =>
    field?.args.map(({ name }) => name).filter((name) => name !== 'administrationId');
  const shared = offered.filter(({ name }) => /^(debtor|declarationLine|deleted)/.test(name));
  expect(shared).toHaveLength(6);
  for (const field of shared) {
    const other = query[field.name];
    expect([field.name, namesOf(field), `${field.type}`]).toEqual([
      field.name,
      namesOf(other),
      `${other?.type}`,
    ]);
  }
});

test('a type implements Node only if its records can be fetched again by id', () => {
  const node = schema.getType('Node');
  const names = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
  expect(names.sort()).toEqual(['Administration', 'Debtor', 'DeclarationLine']);
});

function partsOf(type: GraphQLNamedType): (readonly [string, { description?: string | null | undefined }])[] {
  if (isEnumType(type)) return type.getValues().map((value) => [`${type.name}.${value.name}`, value]);
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field]);
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [
    [`${type.name}.${field.name}`, field],
    ...field.args.map((argument) => [`${type.name}.${field.name}(${argument.name})`, argument] as const),
  ]);
}

test('two kinds of changes with the same cursor key are rejected', () => {
  const [resource] = RESOURCES;
  if (resource === undefined) throw new Error('There are no resources.');
  const texts = {
    filter: 'updatedAfter',
    timestampField: 'updatedAt',
    description: '',
  };
  expect(() =>
    exposeChanges(resource, builder.objectRef<Row>('Copy'), { ...texts, event: 'Copied', cursorKey: 'd' }),
  ).toThrow("COPIED has the cursorKey 'd' of another kind.");
});
