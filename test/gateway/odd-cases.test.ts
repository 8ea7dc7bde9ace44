import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { useGateway } from '../support/gateway.ts';
import { debtorsOf } from '../support/rest-records.ts';

/** The administration whose records are legal and rare: clients are tested with it, and so is the gateway. */
const ODD = '1003';
const gateway = await useGateway();
const debtors = debtorsOf(gateway, ODD);

const inOdd = <R extends { administration_id: string }>(records: readonly R[]) =>
  records.filter(({ administration_id }) => administration_id === ODD);

test('every debtor is answered as the service has it', async () => {
  const { data, errors } = await gateway.query(`{ debtors(administrationId: "${ODD}") { nodes {
    internalId debtorNumber debtorIdentifier name remark bookOpenAmount creditLimitAmount paymentBehaviour languageCode
    externalCreditLimitAmount externalCreditLimitCurrencyCode bankAccountName primaryEmailAddress
    pausedAt remindingPausedAt updatedAt labels { name }
    postalAddress { city countryCode postalCode region street1 street2 } } } }`);
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    debtors: {
      nodes: debtors.map(({ postal_address: address, ...debtor }) => ({
        internalId: debtor.id,
        debtorNumber: debtor.debtor_number,
        debtorIdentifier: debtor.debtor_identifier,
        name: debtor.name,
        remark: debtor.remark ?? null,
        bookOpenAmount: debtor.book_open_amount ?? null,
        creditLimitAmount: debtor.credit_limit_amount ?? null,
        paymentBehaviour: debtor.payment_behaviour ?? null,
        languageCode: debtor.language_code ?? null,
        externalCreditLimitAmount: debtor.external_credit_limit_amount ?? null,
        externalCreditLimitCurrencyCode: debtor.external_credit_limit_currency_code ?? null,
        bankAccountName: debtor.bank_account_name ?? null,
        primaryEmailAddress: debtor.primary_email_address ?? null,
        pausedAt: debtor.paused_at ?? null,
        remindingPausedAt: debtor.reminding_paused_at ?? null,
        updatedAt: debtor.updated_at,
        labels: debtor.labels ?? null,
        postalAddress: {
          city: address.city,
          countryCode: address.country_code,
          postalCode: address.postal_code ?? null,
          region: address.region ?? null,
          street1: address.street_1 ?? null,
          street2: address.street_2 ?? null,
        },
      })),
    },
  });
});

describe.each([
  ['debtorNumber', 'debtor_number'],
  ['debtorIdentifier', 'debtor_identifier'],
] as const)('by its %s', (argument, member) => {
  const isListable = (text: string) => !text.includes(',');
  const unique = debtors.filter((debtor) => debtor[member] !== 'TWICE' && isListable(debtor[member]));

  test.each(unique.map((debtor) => [debtor[member], debtor.id]))('%j is found', async (value, id) => {
    const query = `query ($value: String!) { debtor(administrationId: "${ODD}", by: { ${argument}: $value }) { internalId } }`;
    expect(await gateway.query(query, { value })).toMatchObject({ data: { debtor: { internalId: id } } });
  });

  test('a value that two have finds both in a list', async () => {
    const { data } = await gateway.query(
      `{ debtors(administrationId: "${ODD}", ${argument}s: ["TWICE"]) { nodes { internalId } } }`,
    );
    const both = debtors.filter((debtor) => debtor[member] === 'TWICE').map(({ id }) => ({ internalId: id }));
    expect(both).toHaveLength(2);
    expect(data).toEqual({ debtors: { nodes: both } });
  });
});

test('a comma in an identifier is refused before anything is sent', async () => {
  const answer = await gateway.query(
    `{ debtor(administrationId: "${ODD}", by: { debtorIdentifier: "10,5" }) { name } }`,
  );
  expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  expect(gateway.calls()).toEqual([]);
});

test('amounts are ordered and added without losing a digit', async () => {
  const { data, errors } = await gateway.query(`{ debtors(
    administrationId: "${ODD}", where: { bookOpenAmount: { isNull: false } }
    orderBy: [{ field: BOOK_OPEN_AMOUNT }]
  ) { nodes { bookOpenAmount } totals { count bookOpenAmount { sum min max } } } }`);
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    debtors: {
      nodes: [
        '-9876543210987654321098765432.10',
        '1234.5678901',
        '1500',
        '9007199254740993.01',
        '1234567890123456789012345678.90',
      ].map((bookOpenAmount) => ({ bookOpenAmount })),
      totals: {
        count: 5,
        bookOpenAmount: {
          sum: '-8641975320855190332831676025.6221099',
          min: '-9876543210987654321098765432.10',
          max: '1234567890123456789012345678.90',
        },
      },
    },
  });
});

test('the other lists are answered too', async () => {
  const { data, errors } = await gateway.query(`{ administration(id: "${ODD}") {
    declarationLines(orderBy: [{ field: AMOUNT }]) { nodes { internalId } totals { amount { sum } } }
    deletedCreditCases { nodes { debtorId debtor { internalId } } }
    deletedPayments { nodes { originIdentifier invoiceId } } } }`);
  expect(errors).toBeUndefined();
  const ids = debtors.map(({ id }) => id);
  expect(data).toEqual({
    administration: {
      declarationLines: {
        nodes: expect.toSatisfy((nodes) => nodes.length === inOdd(gateway.rest.data.declarationLines).length),
        totals: { amount: { sum: '1234567890132463988267087226.3100001' } },
      },
      deletedCreditCases: {
        nodes: inOdd(gateway.rest.data.deletedCreditCases).map(({ debtor_id }) => ({
          debtorId: debtor_id,
          debtor: ids.includes(debtor_id) ? { internalId: debtor_id } : null,
        })),
      },
      deletedPayments: {
        nodes: inOdd(gateway.rest.data.deletedPayments).map(({ origin_identifier, invoice_id }) => ({
          originIdentifier: origin_identifier ?? null,
          invoiceId: invoice_id ?? null,
        })),
      },
    },
  });
});
