import { expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { freshGateway } from '../support/gateway.ts';
import { createData } from '../support/rest-world.ts';

const data = createData({ administrations: 1, debtors: 1, cases: 0, idLength: 1 });
const debtors = data.debtors.map((debtor) => ({ ...debtor, name: 'ÅGREN' }));

test('a sorted cursor of an earlier version is rejected in a language where it could skip rows', async () => {
  const after = Buffer.from(JSON.stringify(['name-', 'ekman', '0'])).toString('base64url');
  const args = `orderBy: [{ field: NAME, direction: DESC }], after: "${after}"`;
  const ask = async (orderLocale: string) => {
    const { query } = await freshGateway({ rest: { data: { ...data, debtors } }, gateway: { orderLocale } });
    return query(`{ debtors(administrationId: "1001", ${args}) { nodes { name } } }`);
  };
  expect(codesOf(await ask('sv'))).toEqual(['BAD_USER_INPUT']);
  expect((await ask('nl')).data).toEqual({ debtors: { nodes: [{ name: 'ÅGREN' }] } });
});
