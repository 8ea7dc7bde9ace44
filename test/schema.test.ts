import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import {
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
import config from '../codegen.ts';
import { schema } from '../src/schema/index.ts';

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

test('every type, field, argument and enum value has a description', () => {
  const silent = types.flatMap((type) => [[type.name, type] as const, ...partsOf(type)]);
  expect(silent.filter(([, part]) => !part.description).map(([name]) => name)).toEqual([]);
});

test('descriptions make up nothing that the description of the REST service leaves open', () => {
  for (const name of ['ClaimStatus', 'TaskCompletedStatus']) {
    const type = schema.getType(name);
    const values = isEnumType(type) ? type.getValues() : [];
    expect(type?.description).toContain('The REST service lists the values without explaining them.');
    expect(values.map(({ description }) => description)).toEqual(
      values.map(({ name }) => `\`${name.toLowerCase()}\` of the REST service.`),
    );
  }
  const described = new Map(types.flatMap(partsOf));
  for (const [name, words] of [
    ['TokenIntrospection.active', 'the access token, not the refresh token'],
    ['UpdateMessagesPayload.count', 'processed without errors'],
    ['Debtor.paymentBehaviour', 'names it without explaining it'],
    ['DeletedPayment.originIdentifier', 'names it without explaining it'],
  ] as const)
    expect(described.get(name)?.description, name).toContain(words);
});

test('what introspection answers is ASCII, because answers are written byte by byte', () => {
  expect(printSchema(schema)).not.toMatch(/[\u0080-\uffff]/);
});

test('schema.graphql is current: else run npm run codegen', () => {
  expect(printSchema(schema)).toBe(readFileSync('schema.graphql', 'utf8'));
});

test('every path of documents in codegen.ts leads to some', () => {
  const paths = Object.values(config.generates).flatMap((output) =>
    'documents' in output && output.documents ? [output.documents].flat().map(String) : [],
  );
  expect(paths).toContain('examples/apollo/*.ts');
  // Among several paths of one output, codegen does not mention those that find nothing.
  const files = ['examples', 'src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  for (const path of paths)
    expect(
      files.filter((file) => matchesGlob(file, path)),
      path,
    ).not.toEqual([]);
});

test('a member of a record has no resolver: it is read from the row by its own name', () => {
  const debtor = schema.getType('Debtor');
  const fields = isObjectType(debtor) ? debtor.getFields() : {};
  expect([fields.debtorNumber?.resolve, fields.postalAddress?.resolve]).toEqual([undefined, undefined]);
  expect(fields.id?.resolve).toBeTypeOf('function');
});

test('lists are read forward only', () => {
  const args = schema
    .getQueryType()
    ?.getFields()
    .debtors?.args.map(({ name }) => name);
  expect(args).toEqual([
    'administrationId',
    'ids',
    'debtorNumbers',
    'debtorIdentifiers',
    'updatedAfter',
    'where',
    'orderBy',
    'among',
    'first',
    'after',
  ]);
});

test('an administration offers the same lists and records as the query', () => {
  const administration = schema.getType('Administration');
  const offered = isObjectType(administration) ? Object.values(administration.getFields()) : [];
  const query = schema.getQueryType()?.getFields() ?? {};
  const names = [
    'debtor',
    'debtors',
    'declarationLine',
    'declarationLines',
    'deletedCreditCases',
    'deletedPayments',
  ];
  for (const name of names) {
    const field = offered.find((candidate) => candidate.name === name);
    const args = query[name]?.args.filter((argument) => argument.name !== 'administrationId');
    expect(
      field?.args.map((argument) => argument.name),
      name,
    ).toEqual(args?.map((argument) => argument.name));
    expect(String(field?.type), name).toBe(String(query[name]?.type));
  }
});

test('only what can be fetched again by its id is a Node', () => {
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
