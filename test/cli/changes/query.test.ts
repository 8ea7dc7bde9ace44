import {
  type FieldNode,
  getNamedType,
  isLeafType,
  isObjectType,
  parse,
  print,
  validate,
  visit,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { changesQuery } from '../../../src/cli/changes/query.ts';
import { schema } from '../../../src/schema/index.ts';

/** The selections of records, by the field that holds each. */
function recordsOf(query: string): Record<string, string[]> {
  const records: Record<string, string[]> = {};
  visit(parse(query), {
    InlineFragment({ typeCondition, selectionSet }) {
      if (!/(Changed|Deleted)$/.test(typeCondition?.name.value ?? '')) return;
      const [field] = selectionSet.selections as readonly FieldNode[];
      records[field?.name.value ?? ''] = (field?.selectionSet?.selections ?? []).map((node) =>
        print(node).replace(/\s+/g, ' '),
      );
    },
  });
  return records;
}

const plainFieldsOf = (name: string) => {
  const type = schema.getType(name);
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  return fields.filter((field) => isLeafType(getNamedType(field.type))).map((field) => field.name);
};

test('all kinds, with all plain fields of their records', () => {
  const query = changesQuery(undefined, undefined);
  expect(validate(schema, parse(query))).toEqual([]);
  expect(recordsOf(query)).toEqual({
    debtor: plainFieldsOf('Debtor'),
    declarationLine: plainFieldsOf('DeclarationLine'),
    deletedCreditCase: plainFieldsOf('DeletedCreditCase'),
    deletedPayment: plainFieldsOf('DeletedPayment'),
  });
});

describe('fields', () => {
  const kinds = ['DEBTOR_CHANGED', 'PAYMENT_DELETED'];

  test.each<[what: string, fields: string, debtor: string[], payment: string[]]>([
    [
      'go to each record that has them',
      'name invoiceId internalId',
      ['id', 'name', 'internalId'],
      ['id', 'invoiceId', 'internalId'],
    ],
    ['have the id anyway, and once', 'id name', ['id', 'name'], ['id']],
    ['may be nested', 'postalAddress { city }', ['id', 'postalAddress { city }'], ['id']],
    [
      'may be of one type',
      '... on DeletedPayment { deletedAt }',
      ['id'],
      ['id', '... on DeletedPayment { deletedAt }'],
    ],
  ])('%s', (_what, fields, debtor, deletedPayment) => {
    expect(recordsOf(changesQuery(kinds, fields))).toEqual({ debtor, deletedPayment });
  });

  test.each<[what: string, fields: string, says: string]>([
    ['that no record has', 'name nme', 'Cannot query field "nme" on type "Debtor". Did you mean "name"?'],
    ['of other services', 'email', 'Use `primaryEmailAddress`.'],
    [
      'that are no selection',
      'name,}',
      "takes a selection of GraphQL, such as 'name postalAddress { city }'.",
    ],
  ])('%s are refused', (_what, fields, says) => {
    expect(() => changesQuery(kinds, fields)).toThrow(says);
    expect(() => changesQuery(kinds, fields)).toThrow(expect.objectContaining({ status: 2 }));
  });
});
