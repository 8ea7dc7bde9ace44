import { isNonNullType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changeRows } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';
import type { Fault } from '../support/rest-service.mjs';

const gateway = await useGateway();

/** A dashboard: three lists side by side, of the query or of one administration. */
const LISTS = (prefix: string, payments = '') => `
  debtors(${prefix}first: 1) { nodes { internalId } }
  declarationLines(${prefix}first: 1) { nodes { internalId } }
  deletedPayments(${prefix}first: 1${payments}) { nodes { internalId } }`;

const match = { path: '/v1/payments/deleted' };
const unavailable: Fault = { kind: 'status', status: 503, times: 3, match };
const forbidden: Fault = { kind: 'status', status: 403, match };

const ONE_ROW = { nodes: [{ internalId: expect.any(String) }] };
const KEPT = { debtors: ONE_ROW, declarationLines: ONE_ROW, deletedPayments: null };

const failures = [
  ['the service is away', unavailable, '', 'UPSTREAM_UNAVAILABLE', 3],
  ['the service does not allow it', forbidden, '', 'FORBIDDEN', 1],
  ['its argument is bad', undefined, ', after: "nowhere"', 'BAD_USER_INPUT', 0],
] as const;

test.each(failures)(
  'one list of the query fails alone where %s',
  async (_why, fault, argument, code, calls) => {
    if (fault) gateway.rest.misbehave(fault);
    const answer = await gateway.query(`{ ${LISTS('administrationId: "1001", ', argument)} }`);
    expect(answer.data).toEqual(KEPT);
    expect(codesOf(answer)).toEqual([code]);
    expect(answer.errors?.[0]?.path).toEqual(['deletedPayments']);
    expect(gateway.calls()).toHaveLength(2 + calls);
  },
);

test.each(failures)(
  'one list of an administration fails alone where %s',
  async (_why, fault, argument, code, calls) => {
    if (fault) gateway.rest.misbehave(fault);
    const answer = await gateway.query(`{ administration(id: "1001") { ${LISTS('', argument)} } }`);
    expect(answer.data).toEqual({ administration: KEPT });
    expect(codesOf(answer)).toEqual([code]);
    expect(answer.errors?.[0]?.path).toEqual(['administration', 'deletedPayments']);
    expect(gateway.calls()).toHaveLength(2 + calls);
  },
);

test('a token that cannot be introspected and a bad id leave the lists beside them', async () => {
  const answer = await gateway.query(
    `{ viewer { clientId } administration(id: "") { id } ${LISTS('administrationId: "1001", ')} }`,
    {},
    { authorization: 'Bearer demo-token-company-a', 'x-client-authorization': 'Basic eDp5' },
  );
  expect(answer.data).toEqual({
    viewer: null,
    administration: null,
    debtors: ONE_ROW,
    declarationLines: ONE_ROW,
    deletedPayments: ONE_ROW,
  });
  expect(codesOf(answer).sort()).toEqual(['BAD_USER_INPUT', 'UNAUTHENTICATED']);
});

describe('a join whose key the service sent broken', () => {
  const [sound] = debtorsOf(gateway, ADMINISTRATION);

  test.each<[string, unknown, string[], object | null]>([
    ['sound', sound?.id, [], { internalId: sound?.id }],
    ['absent', undefined, [], null],
    ['null', null, [], null],
    ['empty', '', [], null],
    ['a number', 7, ['UPSTREAM_INVALID_RESPONSE'], null],
    ['zero', 0, ['UPSTREAM_INVALID_RESPONSE'], null],
    ['two ids in one', '1,2', ['UPSTREAM_INVALID_RESPONSE'], null],
    ['too long for a URL', 'x'.repeat(1200), ['UPSTREAM_INVALID_RESPONSE'], null],
    ['too long for a URL once encoded', 'ü'.repeat(200), ['UPSTREAM_INVALID_RESPONSE'], null],
  ])('spoils itself alone where it is %s', async (_what, debtor_id, codes, debtor) => {
    gateway.rest.misbehave(
      changeRows(() => [
        { id: '1', debtor_id },
        { id: '2', debtor_id: sound?.id },
      ]),
    );
    const answer = await gateway.query(
      `{ deletedCreditCases(administrationId: "${ADMINISTRATION}", first: 2) { nodes { debtor { internalId } } } }`,
    );
    expect(answer.data).toEqual({
      deletedCreditCases: { nodes: [{ debtor }, { debtor: { internalId: sound?.id } }] },
    });
    expect(codesOf(answer)).toEqual(codes);
    for (const { path } of answer.errors ?? [])
      expect(path).toEqual(['deletedCreditCases', 'nodes', 0, 'debtor']);
    expect(gateway.calls().filter(({ call }) => call === 'GET /v1/debtors')).toMatchObject([
      { ids: sound?.id },
    ]);
  });

  test.each<[string, object]>([
    ['two ids of debtors in one', { administration_id: ADMINISTRATION, debtor_id: '1,2' }],
    [
      'an id of a debtor that is too long',
      { administration_id: ADMINISTRATION, debtor_id: 'x'.repeat(1200) },
    ],
    ['an id of an administration that is too long', { administration_id: 'x'.repeat(1200), debtor_id: '1' }],
    ['an id of an administration that is a number', { administration_id: 5, debtor_id: '1' }],
  ])('leaves the task that it belongs to: %s', async (_what, ids) => {
    const task = present(gateway.rest.data.tasks.find((row) => row.administration_id === ADMINISTRATION));
    gateway.rest.misbehave({ kind: 'rewrite', rewrite: () => ({ id: task.id, ...ids }) });
    const answer = await gateway.query(
      `mutation { unmarkTaskCompleted(input: { taskId: "${task.id}" }) { task { internalId debtor { name } } } }`,
    );
    expect(answer.data).toEqual({ unmarkTaskCompleted: { task: { internalId: task.id, debtor: null } } });
    expect(answer.errors).toMatchObject([
      {
        path: ['unmarkTaskCompleted', 'task', 'debtor'],
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
      },
    ]);
    expect(gateway.calls()).toHaveLength(1);
  });
});

test('whatever may fail may be null, but for `nodes`, whose items may', () => {
  const administration = schema.getType('Administration');
  const fields = [
    ...Object.values(schema.getQueryType()?.getFields() ?? {}),
    ...(isObjectType(administration) ? Object.values(administration.getFields()) : []),
  ].filter(({ name }) => name !== 'id' && name !== 'internalId');
  expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual(['nodes']);
});
