import { describe, expect, test } from 'vitest';
import { startRest } from '../../support/resources.ts';
import type { DemoOptions } from '../../support/rest-service.mjs';
import { check, findingOf, notPassed, runDoctor, TOKEN } from './support.ts';

const IN = { administration: '1001' };
const NO_APPLICATION =
  '– application: REST_CLIENT_ID and REST_CLIENT_SECRET are not set; `viewer` needs them';
const NO_COMPANIES = '– companies: not read: REST_CLIENT_ID is not set';

/** A service at which every assumed name is different. */
const RENAMED: NonNullable<DemoOptions['parameterNames']> = {
  declarationLines: {
    ids: 'line_ids',
    order_line_identifiers: 'order_lines',
    invoice_identifiers: 'invoices',
    claim_status: 'filter[status]',
    created_after: 'created_from',
    created_before: 'created_to',
    updated_after: 'changed_since',
  },
  deletedCreditCases: { deleted_after: 'since', deleted_before: 'until' },
  deletedPayments: { deleted_after: 'since', deleted_before: 'until' },
};
const ARGUMENTS = Object.entries(RENAMED).flatMap(([list, names]) =>
  Object.keys(names).map((parameter) => {
    const argument = parameter.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
    return [`${list}.${argument}`, parameter] as const;
  }),
);
const PAYMENTS = { path: '/v1/payments/deleted' };

describe('filters with assumed names', () => {
  test('are reported if they work, with one call at a time for one row each', async () => {
    const rest = await startRest();
    const underWay = new Set<number>();
    const rewrite = (body: unknown) => {
      underWay.add(rest.calls.filter(({ status }) => status === 0).length);
      return body;
    };
    rest.misbehave({ kind: 'rewrite', rewrite, times: 100 });
    const findings = await check(rest, IN);
    expect(notPassed(findings)).toEqual([NO_APPLICATION, NO_COMPANIES]);
    for (const [name, parameter] of ARGUMENTS)
      expect(findingOf(findings, name)).toBe(`✓ ${name}: works, as \`${parameter}\``);
    expect([...underWay]).toEqual([1]);
    const [, ...calls] = rest.calls;
    expect(calls.length).toBeLessThan(25);
    expect(calls.map(({ method, query }) => [method, query.per_page])).toEqual(calls.map(() => ['GET', '1']));
  });

  test.each([
    [
      'ignored',
      { unknownParameters: 'ignore' } as const,
      () => 'ignored: the response has records that it must exclude',
    ],
    ['rejected', {}, (parameter: string) => `rejected: There is no parameter ${parameter} here.`],
  ])('are each reported as %s if the service does not know them', async (_what, options, said) => {
    const rest = await startRest({ ...options, parameterNames: RENAMED });
    expect(notPassed(await check(rest, IN))).toEqual([
      NO_APPLICATION,
      ...ARGUMENTS.map(
        ([name, parameter]) =>
          `✗ ${name}: \`${parameter}\` is ${said(parameter)} → Set ${name} in REST_PARAMETER_NAMES; see below.`,
      ),
      NO_COMPANIES,
    ]);
  });

  test('are printed as a setting to complete, after which all checks pass', async () => {
    const rest = await startRest({ unknownParameters: 'ignore', parameterNames: RENAMED });
    const args = ['--yes', '--administration', '1001'];
    const configured = '{"deletedPayments":{"deletedAfter":"since"}}';
    const before = await runDoctor(rest, args, { ...TOKEN, REST_PARAMETER_NAMES: configured });
    expect(before.status).toBe(1);
    const [, json = ''] = /^ {2}REST_PARAMETER_NAMES='(.*)'$/m.exec(before.output) ?? [];
    expect(JSON.parse(json).deletedPayments).toEqual({
      deletedAfter: 'since',
      deletedBefore: '<its name in the service>',
    });
    const truth = ['until', ...Object.values(RENAMED.declarationLines ?? {}), 'since', 'until'];
    const REST_PARAMETER_NAMES = json.replace(/<its name in the service>/g, () => truth.shift() ?? '');
    const after = await runDoctor(rest, args, { ...TOKEN, REST_PARAMETER_NAMES });
    expect(after).toMatchObject({ status: 0, output: expect.stringContaining('works, as `since`') });
  });

  test('are not checked for a list without rows', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'body', match: PAYMENTS, body: '{"data":[]}' });
    const findings = await check(rest, IN);
    expect(findingOf(findings, 'deletedPayments')).toBe('✓ deletedPayments: can be read, but is empty');
    const name = 'deletedPayments.deletedAfter';
    expect(findingOf(findings, name)).toBe(`– ${name}: not checked: the list has no record to exclude`);
    // A service that refuses the id of another administration has read it, rows or not.
    expect(findingOf(findings, 'deletedPayments.administrationId')).toMatch(/^✓/);
  });

  test('are not reported to work if the service fails', async () => {
    const rest = await startRest();
    const match = { path: '/v1/credit_cases/deleted' };
    rest.misbehave({ kind: 'rewrite', match, rewrite: (body) => body, times: 2 });
    rest.misbehave({ kind: 'status', match, status: 500 });
    rest.misbehave({ kind: 'status', match, status: 404 });
    const findings = await check(rest, IN);
    const name = 'deletedCreditCases.deleted';
    expect(findingOf(findings, `${name}After`)).toBe(`✗ ${name}After: The REST service failed.`);
    expect(findingOf(findings, `${name}Before`)).toBe(
      `– ${name}Before: not checked: Answered 404 on request.`,
    );
  });
});

describe('the filter for the administration', () => {
  const parameterNames = { deletedPayments: { administration_id: 'administration' } };

  test('is reported as ignored if the list has rows of any administration', async () => {
    const rest = await startRest({ unknownParameters: 'ignore', parameterNames });
    expect(findingOf(await check(rest, IN), 'deletedPayments.administrationId')).toMatch(
      /^✗.*is ignored.*→ Set/,
    );
  });

  test.each([
    [
      'the first row has another administration',
      { unknownParameters: 'ignore' } as const,
      '1002',
      /another administration/,
    ],
    ['the list rejects it', {}, '1001', /There is no parameter administration_id here\./],
  ])('is suspected if %s, and other filters are skipped', async (_where, options, administration, said) => {
    const findings = await check(await startRest({ ...options, parameterNames }), { administration });
    expect(findingOf(findings, 'deletedPayments')).toMatch(said);
    expect(findingOf(findings, 'deletedPayments')).toMatch(
      /^✗.* → The administration may have another parameter:/,
    );
    expect(findings.filter((finding) => finding.includes('deletedPayments.'))).toEqual([]);
  });
});
