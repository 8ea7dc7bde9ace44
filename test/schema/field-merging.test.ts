import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
  OverlappingFieldsCanBeMergedRule,
  parse,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';

const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
const objectTypes = types.filter(isObjectType);

/** Every two types that can stand at one place of an answer, with the place. */
const pairs = types.filter(isAbstractType).flatMap((place) => {
  const possible = schema.getPossibleTypes(place);
  return possible.flatMap((one, index) =>
    possible.slice(index + 1).map((other) => [place.name, one, other] as const),
  );
});

test('the fields that two types share can be selected from both in one selection', () => {
  expect(pairs.length).toBeGreaterThan(0);
  const conflicts = pairs.flatMap(([place, one, other]) =>
    sharedFields(one, other)
      .filter((field) => !merges(place, one, other, field))
      .map((field) => `${place}: ${field} of ${one.name} and ${other.name}`),
  );
  // The service promises the name of a debtor. That of an administration is known below `viewer` alone, where no debtor
  // can stand: at a `Node` it is always null, so nobody misses it there.
  expect(conflicts).toEqual(['Node: name of Administration and Debtor']);
});

test('every type with an id has `internalId` too', () => {
  const withId = objectTypes.filter((type) => 'id' in type.getFields());
  for (const type of withId) {
    const { id, internalId } = type.getFields();
    expect([type.name, String(id?.type), String(internalId?.type)]).toEqual([type.name, 'ID!', 'ID!']);
    expect(id?.extensions.pothosExposedField, `${type.name}.id is REST's own`).toBeUndefined();
  }
  const onlyInternal = objectTypes.filter(
    (type) => !withId.includes(type) && 'internalId' in type.getFields(),
  );
  expect(onlyInternal.map(({ name }) => name)).toEqual([]);
});

function sharedFields(one: GraphQLObjectType, other: GraphQLObjectType): string[] {
  return Object.keys(one.getFields()).filter((name) => name in other.getFields());
}

function merges(place: string, one: GraphQLObjectType, other: GraphQLObjectType, field: string): boolean {
  const select = (type: GraphQLObjectType) =>
    `... on ${type.name} { ${field} ${selection(type.getFields()[field]?.type)} }`;
  const document = parse(`fragment Both on ${place} { ${select(one)} ${select(other)} }`);
  return validate(schema, document, [OverlappingFieldsCanBeMergedRule]).length === 0;
}

/** All that can be asked below a field, two levels deep. */
function selection(type: GraphQLOutputType | undefined, depth = 2): string {
  const named = type && getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).map((field) => {
    if (isLeafType(getNamedType(field.type))) return field.name;
    return depth > 1 ? `${field.name} ${selection(field.type, depth - 1)}` : '';
  });
  return `{ __typename ${fields.join(' ')} }`;
}
