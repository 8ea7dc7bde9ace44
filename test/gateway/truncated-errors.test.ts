import { expect, test } from 'vitest';
import { ADMINISTRATION, BOTH, FOREIGN_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { changeRows } from '../support/rest-pages.ts';

const gateway = await useGateway({ gateway: { maxFirst: 10_000 } });

const BAD_ROWS = `debtors(administrationId: "${ADMINISTRATION}", first: 700) { nodes { phone: callPhoneNumber } }`;

/** Breaks a field of every debtor, of both pages. */
function breakPhones(): void {
  const broken = changeRows((rows) => rows.map((row) => ({ ...row, call_phone_number: 5 })));
  gateway.rest.misbehave({ ...broken, times: 2, match: { path: '/v1/debtors' } });
}

test('a forbidden list beside more than 500 bad rows has its error, first of all', async () => {
  breakPhones();
  // So that they come in after the rows.
  const match = { path: /declaration_lines|payments/ };
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 300, times: 2, match });
  const answer = await gateway.query(`{
    ${BAD_ROWS}
    declarationLines(administrationId: "${FOREIGN_ADMINISTRATION}") { nodes { id } }
    administration(id: "${FOREIGN_ADMINISTRATION}") { deletedPayments { nodes { id } } }
  }`);
  const { errors = [], extensions } = answer;
  expect(answer.data).toMatchObject({ declarationLines: null, administration: { deletedPayments: null } });
  expect(errors.slice(0, 3)).toMatchObject([
    { path: ['declarationLines'], extensions: { code: 'FORBIDDEN' } },
    { path: ['administration', 'deletedPayments'], extensions: { code: 'FORBIDDEN' } },
    { path: ['debtors', 'nodes', 0, 'phone'], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } },
  ]);
  expect(errors).toHaveLength(500);
  const { length } = gateway.rest.data.debtors.filter((row) => row.administration_id === ADMINISTRATION);
  expect(extensions).toMatchObject({ truncatedErrors: Math.min(700, length) - 498 });
});

test('every list of many that failed has its error beside more than 500 bad rows', async () => {
  breakPhones();
  gateway.rest.misbehave({ kind: 'status', status: 403, times: 2, match: { path: '/v1/payments/deleted' } });
  const answer = await gateway.query(
    `{ ${BAD_ROWS} viewer { administrations { internalId deletedPayments { nodes { id } } } } }`,
    {},
    BOTH,
  );
  const lists = answer.errors?.filter(({ path }) => path?.at(-1) === 'deletedPayments');
  expect(lists?.map(({ path }) => path)).toEqual(
    [0, 1].map((index) => ['viewer', 'administrations', index, 'deletedPayments']),
  );
  expect(answer.extensions).toHaveProperty('truncatedErrors');
});

test('nothing is said of truncated errors where none were', async () => {
  const answer = await gateway.query(
    `{ declarationLines(administrationId: "${FOREIGN_ADMINISTRATION}") { nodes { id } } }`,
  );
  expect(answer.errors).toHaveLength(1);
  expect(answer.extensions).not.toHaveProperty('truncatedErrors');
});
