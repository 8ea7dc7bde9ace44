import { isNonNullType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import type { Fault } from '../../src/demo/service.ts';
import { schema } from '../../src/schema/index.ts';
import { codesOf } from '../support/answers.ts';
import { useGateway } from '../support/gateway.ts';

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

test('whatever may fail may be null, but for `nodes`, whose items may', () => {
  const administration = schema.getType('Administration');
  const fields = [
    ...Object.values(schema.getQueryType()?.getFields() ?? {}),
    ...(isObjectType(administration) ? Object.values(administration.getFields()) : []),
  ].filter(({ name }) => name !== 'id' && name !== 'internalId');
  expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual(['nodes']);
});
