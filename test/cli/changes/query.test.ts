import { getNamedType, isLeafType, isObjectType, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../../src/schema/index.ts';
import { run } from '../support.ts';

async function queryWith(...args: string[]): Promise<string> {
  const { status, output } = await run(['changes', '--print-query', ...args]);
  expect(status).toBe(0);
  expect(validate(schema, parse(output))).toEqual([]);
  return output.replace(/\s+/g, ' ');
}

test('changes requests all kinds and all plain fields by default', async () => {
  const query = await queryWith();
  for (const [event, field, name] of [
    ['DebtorChanged', 'debtor', 'Debtor'],
    ['DeclarationLineChanged', 'declarationLine', 'DeclarationLine'],
    ['CreditCaseDeleted', 'deletedCreditCase', 'DeletedCreditCase'],
    ['PaymentDeleted', 'deletedPayment', 'DeletedPayment'],
  ] as const) {
    const type = schema.getType(name);
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    const plain = fields.filter(({ type }) => isLeafType(getNamedType(type))).map((each) => each.name);
    expect(query).toContain(`... on ${event} { ${field} { ${plain.join(' ')} } }`);
  }
});

const KINDS = ['--kinds', 'DEBTOR_CHANGED,PAYMENT_DELETED'];

test.each([
  [
    'are requested of each type that has them',
    'name invoiceId internalId',
    'id name internalId',
    'id invoiceId internalId',
  ],
  ['always include the id once', 'id name', 'id name', 'id'],
  ['may be nested', 'postalAddress { city }', 'id postalAddress { city }', 'id'],
  [
    'may be of only one type',
    '... on DeletedPayment { deletedAt }',
    'id',
    'id ... on DeletedPayment { deletedAt }',
  ],
])('the fields of --fields %s', async (_what, fields, debtor, payment) => {
  const query = await queryWith(...KINDS, '--fields', fields);
  expect(query).toContain(
    `... on DebtorChanged { debtor { ${debtor} } } ... on PaymentDeleted { deletedPayment { ${payment} } }`,
  );
});

test.each([
  ['an unknown kind', ['--kinds', 'DEBTOR_CHANGE'], "PAYMENT_DELETED, not 'DEBTOR_CHANGE'."],
  ['an unknown field', ['--fields', 'name nme'], 'field "nme" on type "Debtor". Did you mean "name"?'],
  ['a usual name of a field, and suggests ours', ['--fields', 'email'], 'Use `primaryEmailAddress`.'],
  [
    'no selection',
    ['--fields', 'name,}'],
    "takes a selection of GraphQL, such as 'name postalAddress { city }'.",
  ],
])('changes rejects %s', async (_what, args, says) => {
  const refused = await run(['changes', '--print-query', ...args]);
  expect(refused).toMatchObject({ status: 2, output: '', errors: expect.stringContaining(says) });
});
