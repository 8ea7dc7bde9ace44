import { GraphQLEnumType, GraphQLString } from 'graphql';
import { describe, expect, test } from 'vitest';
import { openSession } from '../../../src/cli/doctor/credentials.ts';
import { suggestParameterNames, testFilter } from '../../../src/cli/doctor/filters.ts';
import { LISTS } from '../../../src/cli/doctor/lists.ts';
import { readConfig } from '../../../src/config/index.ts';
import { WIRE_TEXT } from '../../../src/rest/wire-text.ts';
import type { DemoOptions } from '../../support/rest-service.mjs';
import { check, findingOf, notPassed, startRest, tokens } from './support.ts';

const IN = { administration: '1001' };
const NO_APPLICATION = [
  'skipped application: REST_CLIENT_ID and REST_CLIENT_SECRET are not set; `viewer` needs them',
];
const NO_COMPANIES = ['skipped companies: not asked: REST_CLIENT_ID is not set'];

/** A service at which every assumed name is different. */
const RENAMED: NonNullable<DemoOptions['parameterNames']> = {
  declarationLines: {
    ids: 'line_ids',
    order_line_identifiers: 'order_lines',
    invoice_identifiers: 'invoices',
    claim_status: 'status',
    created_after: 'created_from',
    created_before: 'created_to',
    updated_after: 'changed_since',
  },
  deletedCreditCases: { deleted_after: 'since', deleted_before: 'until' },
  deletedPayments: { deleted_after: 'since', deleted_before: 'until' },
};
const ARGUMENTS = [
  ['declarationLines.ids', 'ids'],
  ['declarationLines.orderLineIdentifiers', 'order_line_identifiers'],
  ['declarationLines.invoiceIdentifiers', 'invoice_identifiers'],
  ['declarationLines.claimStatus', 'claim_status'],
  ['declarationLines.createdAfter', 'created_after'],
  ['declarationLines.createdBefore', 'created_before'],
  ['declarationLines.updatedAfter', 'updated_after'],
  ['deletedCreditCases.deletedAfter', 'deleted_after'],
  ['deletedCreditCases.deletedBefore', 'deleted_before'],
  ['deletedPayments.deletedAfter', 'deleted_after'],
  ['deletedPayments.deletedBefore', 'deleted_before'],
] as const;

describe('filters whose names are assumed', () => {
  test('are each found honoured where they are', async () => {
    const rest = await startRest();
    const findings = await check(rest, IN);
    expect(notPassed(findings)).toEqual([...NO_APPLICATION, ...NO_COMPANIES]);
    for (const [name, parameter] of ARGUMENTS) {
      expect(findingOf(findings, name)?.message).toBe(`honoured, as \`${parameter}\``);
    }
  });

  test('are each found ignored where the service does not know them', async () => {
    const rest = await startRest({ unknownParameters: 'ignore', parameterNames: RENAMED });
    expect(notPassed(await check(rest, IN))).toEqual([
      ...NO_APPLICATION,
      ...ARGUMENTS.map(
        ([name, parameter]) =>
          `failed ${name}: \`${parameter}\` is ignored: rows come that it must leave out`,
      ),
      ...NO_COMPANIES,
    ]);
  });

  test('are each found refused where the service does not take them, in its own words', async () => {
    const rest = await startRest({ parameterNames: RENAMED });
    expect(notPassed(await check(rest, IN))).toEqual([
      ...NO_APPLICATION,
      ...ARGUMENTS.map(
        ([name, parameter]) =>
          `failed ${name}: \`${parameter}\` is refused: There is no parameter ${parameter} here.`,
      ),
      ...NO_COMPANIES,
    ]);
  });

  test('are sent under their configured names', async () => {
    const rest = await startRest({ parameterNames: { deletedPayments: { deleted_after: 'since' } } });
    const REST_PARAMETER_NAMES = '{"deletedPayments":{"deletedAfter":"since"}}';
    const findings = await check(rest, { ...IN, env: { REST_PARAMETER_NAMES } });
    expect(findingOf(findings, 'deletedPayments.deletedAfter')).toMatchObject({
      outcome: 'passed',
      message: 'honoured, as `since`',
    });
  });

  test('cannot be told in a list without rows', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'body', match: { path: '/v1/payments/deleted' }, body: '{"data":[]}' });
    const findings = await check(rest, IN);
    expect(findingOf(findings, 'deletedPayments')?.message).toBe('answers, without a row');
    for (const argument of ['deletedAfter', 'deletedBefore']) {
      expect(findingOf(findings, `deletedPayments.${argument}`)).toMatchObject({
        outcome: 'skipped',
        message: 'cannot tell: the list has no row to leave out',
      });
    }
    // A service that refuses the id of another administration has read it, rows or not.
    expect(findingOf(findings, 'deletedPayments.administrationId')?.outcome).toBe('passed');
  });

  test('are not taken for honoured when the service merely fails', async () => {
    const rest = await startRest();
    const path = '/v1/credit_cases/deleted';
    rest.misbehave({ kind: 'rewrite', match: { path }, rewrite: (body) => body, times: 2 });
    rest.misbehave({ kind: 'status', match: { path }, status: 500 });
    rest.misbehave({ kind: 'status', match: { path }, status: 404 });
    const findings = await check(rest, IN);
    expect(findingOf(findings, 'deletedCreditCases.deletedAfter')).toMatchObject({
      outcome: 'failed',
      message: 'The REST service failed.',
    });
    expect(findingOf(findings, 'deletedCreditCases.deletedBefore')).toMatchObject({
      outcome: 'skipped',
      message: 'cannot tell: Answered 404 on request.',
    });
  });
});

describe('the filter for the administration', () => {
  test('cannot be told where no administration has rows', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'body', match: { path: '/v1/payments/deleted' }, body: '{"data":[]}', times: 2 });
    expect(findingOf(await check(rest, IN), 'deletedPayments.administrationId')).toMatchObject({
      outcome: 'skipped',
      message: 'cannot tell: the list has no row to leave out',
    });
  });

  const parameterNames = { deletedPayments: { administration_id: 'administration' } };
  const unrecognisedFilter = { list: 'deletedPayments', argument: 'administrationId' };

  test('is found ignored where rows of any come', async () => {
    const rest = await startRest({ unknownParameters: 'ignore', parameterNames });
    const findings = await check(rest, IN);
    expect(findingOf(findings, 'deletedPayments.administrationId')).toMatchObject({
      outcome: 'failed',
      unrecognisedFilter,
    });
  });

  test('is suspected where the first row is of another', async () => {
    const rest = await startRest({ unknownParameters: 'ignore', parameterNames });
    const findings = await check(rest, { administration: '1002' });
    expect(findingOf(findings, 'deletedPayments')).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('another administration'),
      unrecognisedFilter,
    });
  });

  test('is suspected where the list does not take it, and its other filters wait', async () => {
    const rest = await startRest({ parameterNames });
    const findings = await check(rest, IN);
    expect(findingOf(findings, 'deletedPayments')).toMatchObject({
      outcome: 'failed',
      message: 'There is no parameter administration_id here.',
      unrecognisedFilter,
    });
    expect(findings.filter(({ list }) => list === 'deletedPayments')).toEqual([]);
  });

  test('is not suspected where a list gives no page at all', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'body', match: { path: '/v1/payments/deleted' }, body: '<html>' });
    const finding = findingOf(await check(rest, IN), 'deletedPayments');
    expect(finding).toMatchObject({ outcome: 'failed', message: expect.stringContaining('not JSON') });
    expect(finding).not.toHaveProperty('unrecognisedFilter');
  });
});

describe('a filter of which no value must leave rows out', () => {
  test.each([
    [GraphQLString, 'no value of it must leave rows out'],
    [new GraphQLEnumType({ name: 'Status', values: { draft: {} } }), 'it has no two values to compare'],
  ])('%j cannot be told', async (type, inconclusive) => {
    const rest = await startRest();
    const session = openSession(new URL(rest.url), readConfig({}, []), tokens.companyA);
    const [list] = LISTS;
    if (!list) throw new Error('There is no list.');
    const filter = { name: 'paid', type };
    const row = { id: WIRE_TEXT.encode('1') };
    const filterTest = { session, resource: list.resource, filter, administrationId: '1001', row };
    expect(await testFilter(filterTest)).toEqual({ inconclusive });
    expect(rest.calls).toEqual([]);
  });
});

describe('calls', () => {
  test('ask for one row, one after another, and write nothing', async () => {
    const rest = await startRest();
    const underWay = new Set<number>();
    const rewrite = (body: unknown) => {
      underWay.add(rest.calls.filter(({ status }) => status === 0).length);
      return body;
    };
    rest.misbehave({ kind: 'rewrite', rewrite, times: 100 });
    await check(rest, IN);
    expect([...underWay]).toEqual([1]);
    expect(rest.calls.length).toBeLessThan(25);
    expect(rest.calls.map(({ method, query }) => [method, query.per_page])).toEqual(
      rest.calls.map(() => ['GET', '1']),
    );
  });
});

test('the names to set are those configured, with a gap for each that is wrong', async () => {
  const rest = await startRest({
    unknownParameters: 'ignore',
    parameterNames: { deletedPayments: { deleted_after: 'since', deleted_before: 'until' } },
  });
  const names = { deletedPayments: { deletedAfter: 'since' } };
  const findings = await check(rest, { ...IN, env: { REST_PARAMETER_NAMES: JSON.stringify(names) } });
  expect(suggestParameterNames(names, findings)).toEqual({
    deletedPayments: { deletedAfter: 'since', deletedBefore: '<its true name>' },
  });
  expect(suggestParameterNames(names, [])).toBeUndefined();
});
