import { describe, expect, test } from 'vitest';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();

const globalIdOf = (id: string) => encodeGlobalId({ type: 'Debtor', administration: ADMINISTRATION, id });

describe('what cannot be sent in a list of values', () => {
  const debtor = (by: string) => `{ debtor(administrationId: "${ADMINISTRATION}", by: ${by}) { name } }`;
  const list = (field: string) => `{ ${field} { nodes { id } } }`;
  const inList = (name: string, filter: string) =>
    list(`${name}(administrationId: "${ADMINISTRATION}", ${filter})`);

  test.each([
    debtor('{ id: "1,2" }'),
    debtor('{ id: "" }'),
    debtor('{ debtorNumber: "D1,D2" }'),
    debtor('{ debtorNumber: "" }'),
    debtor('{ debtorIdentifier: "a,b" }'),
    `{ declarationLine(administrationId: "${ADMINISTRATION}", id: "1,2") { amount } }`,
    `{ node(id: "${globalIdOf('1,2')}") { id } }`,
    inList('debtors', 'ids: ["1,2"]'),
    inList('debtors', `ids: ["${globalIdOf('1,2')}"]`),
    inList('debtors', 'debtorNumbers: ["D1", "D1,D2"]'),
    inList('debtors', 'debtorNumbers: [""]'),
    inList('debtors', 'debtorIdentifiers: ["a,b"]'),
    inList('declarationLines', 'ids: ["1,2"]'),
    inList('declarationLines', 'orderLineIdentifiers: ["1,2"]'),
    inList('declarationLines', 'invoiceIdentifiers: ["1,2"]'),
  ])('is refused before a call: %s', async (document) => {
    expectRefused(gateway, await gateway.query(document));
  });

  test('is refused too when it alone is longer than a URL may be', async () => {
    expectRefused(gateway, await gateway.query(debtor(`{ debtorNumber: "${'x'.repeat(4000)}" }`)));
  });

  test('spares the lookups beside it', async () => {
    const id = present(debtorsOf(gateway, ADMINISTRATION)[0]).id;
    const answer = await gateway.query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: [globalIdOf(id), globalIdOf('1,2')],
    });
    expect(answer.errors).toMatchObject([{ path: ['nodes', 1], extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(answer.data).toEqual({ nodes: [{ id: globalIdOf(id) }, null] });
    expect(gateway.calls()).toMatchObject([{ call: 'GET /v1/debtors', ids: id, per_page: '1' }]);
  });

  test.each([
    'debtors(administrationId: "1001", ids: [])',
    'debtors(administrationId: "1001", debtorNumbers: [])',
    'debtors(administrationId: "1001", debtorIdentifiers: [], debtorNumbers: ["D10000"])',
    'declarationLines(administrationId: "1001", ids: [])',
    'declarationLines(administrationId: "1001", orderLineIdentifiers: [])',
    'declarationLines(administrationId: "1001", invoiceIdentifiers: [])',
  ])('an empty list gives no rows and needs no call: %s', async (field) => {
    const { data } = await gateway.query(
      `{ list: ${field} { nodes { id } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    );
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
    expect(data).toEqual({ list: { nodes: [], edges: [], pageInfo } });
    expect(gateway.calls()).toEqual([]);
  });
});
