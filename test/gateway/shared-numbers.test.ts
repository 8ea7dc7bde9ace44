import { beforeEach, describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changePage } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';

const gateway = await useGateway();
const original = [...gateway.rest.data.debtors];
const debtors = debtorsOf(gateway, ADMINISTRATION);

beforeEach(() => {
  gateway.rest.data.debtors.splice(0, original.length, ...original);
});

/** Gives the first debtors these numbers, each to as many in a row; returns the id of the first of each. */
function share(counts: Readonly<Record<string, number>>): Record<string, string> {
  const firstIds: Record<string, string> = {};
  const rest = [...debtors];
  for (const [number, count] of Object.entries(counts)) {
    for (const { id } of rest.splice(0, count)) {
      firstIds[number] ??= id;
      const { debtors: all } = gateway.rest.data;
      const index = all.findIndex((debtor) => debtor.id === id);
      all[index] = { ...present(all[index]), debtor_number: number };
    }
  }
  return firstIds;
}

const lookups = (numbers: readonly string[]) =>
  `{ ${numbers
    .map(
      (number) =>
        `${number}: debtor(administrationId: "${ADMINISTRATION}", by: { debtorNumber: "${number}" }) { internalId }`,
    )
    .join(' ')} }`;

describe('a number that several debtors have', () => {
  test.each<[Record<string, number>, number]>([
    [{ A: 10 }, 1],
    [{ A: 10, B: 1 }, 1],
    [{ A: 120, B: 1, C: 2 }, 1],
    [{ A: 499, B: 1 }, 1],
    [{ A: 500, B: 1 }, 2],
    [{ A: 1400, B: 1, C: 1 }, 2],
    [{ A: 500, B: 500, C: 500 }, 3],
  ])('finds the first of them, and hides none of the others: %j in %i calls', async (counts, calls) => {
    const firstIds = share(counts);
    const answer = await gateway.query(lookups([...Object.keys(counts), 'nobody']));
    expect(codesOf(answer)).toEqual([]);
    const found = Object.entries(firstIds).map(([number, internalId]) => [number, { internalId }]);
    expect(answer.data).toEqual({ ...Object.fromEntries(found), nobody: null });
    expect(gateway.calls()).toHaveLength(calls);
  });

  test('takes one row where it is the only one', async () => {
    const { A } = share({ A: 10 });
    const { data } = await gateway.query(lookups(['A']));
    expect(data).toEqual({ A: { internalId: A } });
    expect(gateway.calls()).toMatchObject([{ per_page: '1' }]);
  });

  test('fails those that were not yet found when a later call fails', async () => {
    const { A } = share({ A: 500, B: 1 });
    gateway.rest.misbehave(
      changePage((body) => {
        gateway.rest.misbehave({ kind: 'status', status: 500 });
        return body;
      }),
    );
    const answer = await gateway.query(lookups(['A', 'B']));
    expect(answer.data).toEqual({ A: { internalId: A }, B: null });
    expect(answer.errors).toMatchObject([{ path: ['B'] }]);
  });
});

test('an id is asked for in a page of as many rows as there are ids', async () => {
  const [a, b] = debtors.map(({ id }) => id);
  const by = (id = '') => `debtor(administrationId: "${ADMINISTRATION}", by: { id: "${id}" }) { name }`;
  await gateway.query(`{ a: ${by(a)} b: ${by(b)} }`);
  expect(gateway.calls()).toMatchObject([{ per_page: '2' }]);
});
