import { expect, test } from 'vitest';
import { SMALL_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { exportText, fetchExport, linesIn } from './support.ts';

const gateway = await useGateway();

function ordered(args = '') {
  return `{
    debtors(
      administrationId: "${SMALL_ADMINISTRATION}", where: { bookOpenAmount: { gt: "0" } },
      orderBy: [{ field: BOOK_OPEN_AMOUNT, direction: DESC }] ${args}
    ) { nodes { internalId name remark } }
  }`;
}

interface Ordered {
  readonly debtors: { readonly nodes: readonly object[] };
}

test('a filtered and sorted list is exported completely, with one read of all its fields', async () => {
  const lines = linesIn(await exportText(gateway, 'ndjson', ordered()));
  const only = ['id', 'administration_id', 'book_open_amount', 'name', 'remark'];
  expect(gateway.calls()).toMatchObject([
    { per_page: '500', only },
    { per_page: '500', only },
  ]);
  const { data } = await gateway.query(ordered(', first: 1000'));
  const { nodes } = (data as Ordered).debtors;
  expect(nodes.length).toBeGreaterThan(500);
  expect(lines).toEqual([...nodes, { end: true, rows: nodes.length }]);
});

test('an export accepts `among: null`, and names `among` if it rejects another value', async () => {
  expect(await exportText(gateway, 'csv', ordered('among: null'))).toBe(
    await exportText(gateway, 'csv', ordered()),
  );
  const refused = await fetchExport(gateway, 'csv', ordered('among: 0'));
  expect(await refused.json()).toMatchObject({ errors: [{ message: '`among` takes a number from 1.' }] });
});
