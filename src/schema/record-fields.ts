import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  isScalarType,
} from 'graphql';
import type { PlainShape, RecordFields, Shape } from '../lists/record-fields.ts';
import { restName } from './selection.ts';

/** Each scalar that records have. */
const KINDS: { readonly [scalar: string]: PlainShape['kind'] } = {
  String: 'text',
  ID: 'id',
  Amount: 'amount',
  Int: 'int',
  DateTime: 'dateTime',
  Boolean: 'boolean',
};

/** The fields of a type that expose a field of the service's records. */
export function recordFieldsOf(type: GraphQLObjectType): RecordFields {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const name = restName(field);
    const shape = name === undefined ? undefined : shapeOf(getNullableType(field.type));
    return name === undefined || shape === undefined ? [] : [{ name: field.name, restName: name, shape }];
  });
  return new Map(fields.map((field) => [field.name, field]));
}

function shapeOf(type: GraphQLOutputType): Shape | undefined {
  if (isListType(type)) {
    const item = shapeOf(getNullableType(type.ofType));
    return item === undefined || item.kind === 'list' ? undefined : { kind: 'list', item };
  }
  if (isObjectType(type)) return { kind: 'object', typeName: type.name, fields: recordFieldsOf(type) };
  if (isEnumType(type)) {
    const enumNames = new Map(type.getValues().map(({ name, value }) => [String(value), name]));
    return { kind: 'enum', typeName: type.name, enumNames };
  }
  const kind = isScalarType(type) ? KINDS[type.name] : undefined;
  return kind && { kind };
}
