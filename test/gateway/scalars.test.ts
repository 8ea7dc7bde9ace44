import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { changeRows } from '../support/rest-pages.ts';
import { debtorsOf, idsOf } from '../support/rest-records.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();

const IN = `administrationId: "${ADMINISTRATION}"`;
const byVariable = `query ($moment: DateTime) { debtors(${IN}, updatedAfter: $moment, first: 1) { nodes { id } } }`;
const asLiteral = (moment: unknown) =>
  `{ debtors(${IN}, updatedAfter: ${JSON.stringify(moment)}, first: 1) { nodes { id } } }`;

describe('a DateTime argument', () => {
  test.each([
    ['2024-05-01T00:00:00Z', '2024-05-01T00:00:00Z'],
    ['2024-05-01T01:30:00+02:00', '2024-04-30T23:30:00Z'],
    ['2024-12-31T23:59:59-00:30', '2025-01-01T00:29:59Z'],
    ['2024-02-29T12:00:00+00:00', '2024-02-29T12:00:00Z'],
    ['2024-05-01T00:00:00.5Z', '2024-05-01T00:00:00.5Z'],
    ['2024-05-01T02:00:00.123456789+02:00', '2024-05-01T00:00:00.123456789Z'],
    ['2024-05-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z'],
    ['2024-05-01t00:00:00z', '2024-05-01T00:00:00Z'],
    ['2017-01-01T00:59:60.5+01:00', '2017-01-01T00:00:00Z'],
  ])('%s reaches REST as %s', async (moment, sent) => {
    const { errors } = await gateway.query(byVariable, { moment });
    await gateway.query(asLiteral(moment));
    expect(errors).toBeUndefined();
    expect(gateway.calls()).toMatchObject([{ updated_after: sent }, { updated_after: sent }]);
    expect(gateway.calls()).toHaveLength(2);
  });

  test.each([
    ['no time', '2024-05-01'],
    ['no offset', '2024-05-01T00:00:00'],
    ['no seconds', '2024-05-01T00:00Z'],
    ['a day that is not', '2023-02-29T00:00:00Z'],
    ['a month that is not', '2024-13-01T00:00:00Z'],
    ['an hour that is not', '2024-05-01T24:00:00Z'],
    ['an offset that is not', '2024-05-01T00:00:00+25:00'],
    ['an offset without minutes', '2024-05-01T00:00:00+02'],
    ['a space', '2024-05-01 00:00:00Z'],
    ['a year that UTC makes one of five digits', '9999-12-31T23:59:59-01:00'],
    ['a year that UTC puts before the first', '0000-01-01T00:00:00+01:00'],
    ['ten digits of a second', '2024-05-01T00:00:00.1234567890Z'],
    ['thousands of digits of a second', `2024-05-01T00:00:00.${'0'.repeat(5000)}Z`],
    ['words', 'yesterday'],
    ['nothing', ''],
    ['a number', 1714521600],
    ['a list of values', '2024-05-01T00:00:00Z,2024-05-02T00:00:00Z'],
  ])('with %s is refused before a call', async (_, moment) => {
    expectRefused(gateway, await gateway.query(byVariable, { moment }));
    const literal = await gateway.query(asLiteral(moment));
    expect(['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED']).toContain(codesOf(literal)[0]);
    expect(gateway.calls()).toEqual([]);
  });
});

describe('what REST writes', () => {
  test.each([
    '2024-05-01T00:00:00.000Z',
    '2024-05-01T00:00:00.100000Z',
    '2024-05-01T02:00:00+02:00',
    '2024-05-01',
  ])('as a moment passes through byte for byte: %s', async (moment) => {
    gateway.rest.misbehave(
      changeRows((rows) => rows.map((row) => ({ ...row, updated_at: moment, paused_at: moment }))),
    );
    const { data } = await gateway.query(`{ debtors(${IN}, first: 1) { nodes { updatedAt pausedAt } } }`);
    expect(data).toEqual({ debtors: { nodes: [{ updatedAt: moment, pausedAt: moment }] } });
  });

  test.each(['9007199254740993.10', '-0.00', '1.5000', '00012', '1e3', ''])(
    'as an amount passes through byte for byte: %s',
    async (amount) => {
      gateway.rest.misbehave(
        changeRows((rows) => rows.map((row) => ({ ...row, credit_limit_amount: amount }))),
      );
      const { data } = await gateway.query(`{ debtors(${IN}, first: 1) { nodes { creditLimitAmount } } }`);
      expect(data).toEqual({ debtors: { nodes: [{ creditLimitAmount: amount }] } });
    },
  );

  test.each([
    [ADMINISTRATION, 4],
    ['1003', 30],
  ])('is what the data holds, for the moments and amounts in %s', async (administration, digits) => {
    const debtors = debtorsOf(gateway, administration).slice(-500);
    const { data } = await gateway.query(
      `query ($ids: [ID!]) { debtors(administrationId: "${administration}", ids: $ids, first: 500) { nodes { updatedAt pausedAt remindingPausedAt bookOpenAmount creditLimitAmount externalCreditLimitAmount } } }`,
      { ids: idsOf(debtors) },
    );
    expect(
      debtors.some(({ book_open_amount: open }) => (open ?? '').replace(/\D/g, '').length >= digits),
    ).toBe(true);
    expect(data).toEqual({
      debtors: {
        nodes: debtors.map((debtor) => ({
          updatedAt: debtor.updated_at,
          pausedAt: debtor.paused_at ?? null,
          remindingPausedAt: debtor.reminding_paused_at ?? null,
          bookOpenAmount: debtor.book_open_amount ?? null,
          creditLimitAmount: debtor.credit_limit_amount ?? null,
          externalCreditLimitAmount: debtor.external_credit_limit_amount ?? null,
        })),
      },
    });
  });

  test.each([
    ['an amount that is a number', { credit_limit_amount: 1.5 }, 'creditLimitAmount'],
    ['a moment that is a number', { paused_at: 1714521600 }, 'pausedAt'],
    ['a score that is no integer', { payment_behaviour: 'good' }, 'paymentBehaviour'],
  ])('is null with an error where it is %s', async (_, change, field) => {
    gateway.rest.misbehave(changeRows((rows) => rows.map((row) => ({ ...row, ...change }))));
    const answer = await gateway.query(`{ debtors(${IN}, first: 1) { nodes { internalId ${field} } } }`);
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(answer.data).toMatchObject({ debtors: { nodes: [{ [field]: null }] } });
  });

  test('is null with an error where it is a status that nobody described', async () => {
    gateway.rest.misbehave(changeRows((rows) => rows.map((row) => ({ ...row, claim_status: 'lost' }))));
    const answer = await gateway.query(
      `{ declarationLines(${IN}, first: 1) { nodes { internalId claimStatus } } }`,
    );
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(answer.data).toMatchObject({ declarationLines: { nodes: [{ claimStatus: null }] } });
  });
});
