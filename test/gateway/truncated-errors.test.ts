import { expect, test } from 'vitest';
import { ADMINISTRATION, FOREIGN_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { changeRows } from '../support/rest-pages.ts';

const gateway = await useGateway({ gateway: { maxFirst: 10_000 } });

const BAD_ROWS = `debtors(administrationId: "${ADMINISTRATION}", first: 700) { nodes { phone: callPhoneNumber } }`;

/** Breaks a field of every debtor, of both pages. */
function breakPhones(): void {
  const broken = changeRows((rows) => rows.map((row) => ({ ...row, call_phone_number: 5 })));
  gateway.rest.misbehave({ ...broken, times: 2, match: { path: '/v1/debtors' } });
}

test('the first 500 errors of bad rows are told, and how many more there are', async () => {
  breakPhones();
  const { data, errors = [] } = await gateway.query(`{ ${BAD_ROWS} }`);
  const { length } = gateway.rest.data.debtors.filter((row) => row.administration_id === ADMINISTRATION);
  expect(errors).toHaveLength(501);
  expect(errors[0]).toMatchObject({
    path: ['debtors', 'nodes', 0, 'phone'],
    extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
  });
  expect(errors.at(-1)?.message).toContain(`${Math.min(700, length) - 500} more errors of this answer`);
  expect(errors.at(-1)).toMatchObject({ extensions: { code: 'MORE_ERRORS' } });
  expect(Object(data).debtors.nodes.at(-1)).toEqual({ phone: null });
});

test('nothing is said of more errors where there are none', async () => {
  const answer = await gateway.query(
    `{ declarationLines(administrationId: "${FOREIGN_ADMINISTRATION}") { nodes { id } } }`,
  );
  expect(answer.errors).toHaveLength(1);
});
