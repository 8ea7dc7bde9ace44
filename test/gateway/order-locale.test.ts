import { describe, expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { type TestGateway, useGateway } from '../support/gateway.ts';
import { createData } from '../support/rest-world.ts';

const NAMES = ['Öberg', 'Zorn', 'ÅGREN', 'A\u030Angstrom', 'Adam', 'Ängström', 'Ekman', 'angstrom'];
const SORTED = ['Adam', 'angstrom', 'Ekman', 'Zorn', 'ÅGREN', 'A\u030Angstrom', 'Ängström', 'Öberg'];

const data = createData({ administrations: 1, debtors: NAMES.length, cases: 0, idLength: 1 });
const rows = data.debtors.map((debtor, index) => ({ ...debtor, name: NAMES[index] ?? '' }));
const gatewayIn = (orderLocale: string) =>
  useGateway({ rest: { data: { ...data, debtors: rows } }, gateway: { orderLocale } });
const swedish = await gatewayIn('sv');
const dutch = await gatewayIn('nl');

interface Debtors {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly name: string } }[];
  readonly groups: readonly { readonly key: string; readonly totals: { readonly count: number } }[];
}

const ask = (gateway: TestGateway, args: string, selection = 'edges { cursor node { name } }') =>
  gateway.query<{ debtors: Debtors }>(`{ debtors(administrationId: "1001", ${args}) { ${selection} } }`);
const orderBy = (direction: string) => `orderBy: [{ field: NAME, direction: ${direction} }]`;

async function readPages(gateway: TestGateway, direction: string, after = ''): Promise<string[]> {
  const { data } = await ask(gateway, `first: 2, ${orderBy(direction)}${after && `, after: "${after}"`}`);
  const names = data.debtors.edges.map(({ node }) => node.name);
  const cursor = data.debtors.edges[1]?.cursor;
  return cursor ? [...names, ...(await readPages(gateway, direction, cursor))] : names;
}

describe('the letters of the alphabet of ORDER_LOCALE', () => {
  test('are in their places on every page', async () => {
    expect(await readPages(swedish, 'ASC')).toEqual(SORTED);
    expect(await readPages(swedish, 'DESC')).toEqual(SORTED.toReversed());
  });

  test('are equal to others in conditions and groups', async () => {
    const { data } = await ask(
      swedish,
      'where: { name: { contains: "ANG" } }',
      'edges { cursor node { name } } groups(by: NAME, orderBy: [{ field: KEY, direction: ASC }]) { key totals { count } }',
    );
    expect(data.debtors.edges).toHaveLength(3);
    expect(data.debtors.groups.map(({ totals }) => totals.count)).toEqual([3]);
  });

  test('order groups by the spelling that they show', async () => {
    const { data } = await ask(
      swedish,
      'where: { not: { name: { contains: "ang" } } }',
      'groups(by: NAME, orderBy: [{ field: KEY, direction: ASC }]) { key totals { count } }',
    );
    expect(data.debtors.groups.map(({ key }) => key)).toEqual(['Adam', 'Ekman', 'Zorn', 'ÅGREN', 'Öberg']);
  });
});

test('a cursor of a build that ignored all accents is refused if rows after it could be skipped', async () => {
  const old = Buffer.from(JSON.stringify(['name-', 'ekman', '1'])).toString('base64url');
  const args = `${orderBy('DESC')}, after: "${old}"`;
  expect(codesOf(await ask(swedish, args))).toEqual(['BAD_USER_INPUT']);
  const { data } = await ask(dutch, args);
  expect(data.debtors.edges.map(({ node }) => node.name)).toContain('ÅGREN');
});
