import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { cost, debtor, debtorBy, freshCallers, page } from './support.ts';

const gateway = await useGateway({ gateway: { cacheTtlMs: 60_000 } });
const uncached = await useGateway();
const newCaller = await freshCallers(gateway);
const debtors = gateway.rest.data.debtors.filter(
  ({ administration_id }) => administration_id === ADMINISTRATION,
);
const [first, second] = debtors;
const idsOf = (...some: (typeof first)[]) => JSON.stringify(some.map((record) => record?.id));

describe('a cached page', () => {
  test.each([
    ['the longer one first', [100, 5, 100], ['100', '5']],
    ['the shorter one first', [5, 100, 5], ['5', '100']],
    ['one that is longer than a REST page first', [700, 5, 700], ['500', '200', '5']],
    ['one that ends within a REST page between', [1000, 700, 1000], ['500', '500', '500', '200']],
  ])('serves two selections of different lengths in turn, %s', async (_what, firsts, pages) => {
    const caller = newCaller();
    for (const [index, length] of firsts.entries()) {
      const fields = length === firsts[0] ? 'name' : 'vatNumber';
      const text =
        `{ debtors(administrationId: "${ADMINISTRATION}", first: ${length}) ` +
        `{ edges { cursor node { internalId ${fields} } } pageInfo { hasNextPage startCursor endCursor } } }`;
      const answer = await gateway.query(text, {}, caller);
      const fresh = await uncached.query(text);
      expect(answer.data).toEqual(fresh.data);
      if (index === 2) expect(answer.extensions.cost).toMatchObject({ calls: 0 });
    }
    expect(gateway.calls().map(({ per_page }) => per_page)).toEqual(pages);
  });

  test('serves its first rows with the cursors of a page of that length', async () => {
    const shape = (count: number) =>
      `{ debtors(administrationId: "${ADMINISTRATION}", first: ${count}) ` +
      '{ edges { cursor node { name } } pageInfo { hasNextPage endCursor } } }';
    const read = await gateway.query(shape(5), {}, newCaller());
    const caller = newCaller();
    await gateway.query(shape(10), {}, caller);
    const cut = await gateway.query(shape(5), {}, caller);
    expect(cut.data).toEqual(read.data);
    expect(cut.extensions).toMatchObject(cost(1, 0));
  });

  test('does not serve more rows than it has, unless the list ends there', async () => {
    const caller = newCaller();
    await gateway.query(page('name', 'first: 2'), {}, caller);
    const more = await gateway.query(page('name', 'first: 3'), {}, caller);
    expect(more.extensions).toMatchObject(cost(0, 1));
    const ended = `ids: ${idsOf(first, second)}`;
    await gateway.query(page('name', `first: 5, ${ended}`), {}, caller);
    const all = await gateway.query(page('name', `first: 9, ${ended}`), {}, caller);
    expect(all.extensions).toMatchObject(cost(1, 0));
  });

  test('serves a filter with its values in another order, also within one operation', async () => {
    const list = (...some: (typeof first)[]) =>
      `debtors(administrationId: "${ADMINISTRATION}", ids: ${idsOf(...some)}) { nodes { name } }`;
    const { data } = await gateway.query(
      `{ a: ${list(first, second)} b: ${list(second, first)} }`,
      {},
      newCaller(),
    );
    const nodes = [{ name: first?.name }, { name: second?.name }];
    expect(data).toEqual({ a: { nodes }, b: { nodes } });
    expect(gateway.calls()).toHaveLength(1);
  });
});

test.each([
  ['its number', `debtorNumber: "${first?.debtor_number}"`],
  ['its identifier', `debtorIdentifier: "${first?.debtor_identifier}"`],
])('a cached record that was found by %s serves lookups by id and by the same key', async (_what, by) => {
  const caller = newCaller();
  const found = await gateway.query(`{ ${debtorBy(by, 'name remark')} }`, {}, caller);
  const byId = await gateway.query(`{ ${debtor(first?.id, 'name remark')} }`, {}, caller);
  const again = await gateway.query(`{ ${debtorBy(by, 'remark name')} }`, {}, caller);
  expect([byId.data, again.data]).toEqual([found.data, found.data]);
  expect(gateway.calls()).toHaveLength(1);
});
