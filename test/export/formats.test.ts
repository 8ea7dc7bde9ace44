import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, BEARER, freshGateway, postTo, useGateway } from '../support/gateway.ts';
import { exportText, fetchExport, linesIn } from './support.ts';

const gateway = await useGateway();

const FIELDS = 'number: debtorNumber name bookOpenAmount labels { name } postalAddress { city }';
const inList = (rows: string, args = '') =>
  `{ debtors(administrationId: "${ADMINISTRATION}"${args}) { ${rows} } }`;
const THREE = inList(`nodes { ${FIELDS} }`, ', first: 3');

const THREE_ROWS = [
  ['number', 'name', 'bookOpenAmount', 'labels.name', 'postalAddress.city'],
  ['D10000', 'Noëlle IJzerman', '682.20', 'Incasso', 'Sneek'],
  ['D10002', 'Kinderopvang Pippeloentje Sneek', '5272.31', 'Zakelijk', 'Sneek'],
  ['D10003', 'Mehmet van den Berg', '286.29', '', 'Winschoten'],
];

describe('an export', () => {
  test('has the selected fields as its CSV columns', async () => {
    const response = await fetchExport(gateway, 'csv', THREE);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="debtors.csv"',
      'cache-control': 'private, no-store',
    });
    const text = await response.text();
    expect(text.endsWith('Winschoten\r\n')).toBe(true);
    expect(parse(text)).toEqual(THREE_ROWS);
    expect(gateway.calls()).toHaveLength(1);
    expect(gateway.calls()[0]).toMatchObject({ call: 'GET /v1/debtors', per_page: '3' });
  });

  test('has the objects of the JSON response as NDJSON, and a last line if it is complete', async () => {
    const response = await fetchExport(gateway, 'ndjson', THREE);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="debtors.ndjson"');
    const lines = linesIn(await response.text());
    expect(lines.pop()).toEqual({ end: true, rows: 3 });
    const { data } = await gateway.query(THREE);
    expect({ debtors: { nodes: lines } }).toEqual(data);
  });

  test('is the complete list, page by page, if there is no `first`', async () => {
    const all = gateway.rest.data.debtors.filter((row) => row.administration_id === ADMINISTRATION);
    expect(all.length).toBeGreaterThan(1500);
    const lines = linesIn(await exportText(gateway, 'ndjson', inList('nodes { internalId }')));
    expect(lines.pop()).toEqual({ end: true, rows: all.length });
    expect(lines.map(({ internalId }) => internalId)).toEqual(all.map(({ id }) => id));
    const calls = gateway.calls();
    expect(calls).toHaveLength(Math.ceil(all.length / 500));
    expect(new Set(calls.map(({ per_page }) => per_page))).toEqual(new Set(['500']));
  });

  test('can have a `first` beyond MAX_FIRST, and is complete if `first` is null or not set', async () => {
    const few = await freshGateway({ gateway: { maxFirst: 100 } });
    const query = `query ($first: Int) { ${inList('nodes { internalId }', ', first: $first').slice(1)}`;
    const rowsWith = async (variables: object) =>
      linesIn(await exportText(few, 'ndjson', query, { variables })).at(-1)?.rows;
    expect(await rowsWith({ first: 250 })).toBe(250);
    expect(few.calls().map(({ per_page }) => per_page)).toEqual(['100', '100', '50']);
    const all = few.rest.data.debtors.filter((row) => row.administration_id === ADMINISTRATION).length;
    expect(await rowsWith({})).toBe(all);
    expect(await rowsWith({ first: null })).toBe(all);
  });

  test.each([
    ['Accept', '', { accept: 'text/csv' }],
    ['Accept, preferred to JSON', '', { accept: 'application/json;q=0.5, text/csv' }],
    ['its path and another Accept', '.csv', { accept: 'application/json' }],
    ['its path', '.csv', {}],
  ])('is requested by %s, with POST and GET', async (_how, end, accept) => {
    const url = `${gateway.url}${end}`;
    const headers = { ...BEARER, ...accept };
    const posted = await postTo(url, THREE, accept);
    expect(parse(await posted.text())).toEqual(THREE_ROWS);
    const got = await fetch(`${url}?${new URLSearchParams({ query: THREE })}`, { headers });
    expect(parse(await got.text())).toEqual(THREE_ROWS);
  });

  test.each(['application/json, text/csv', 'text/csv;q=0.1, */*'])(
    'is not sent for Accept: %s',
    async (accept) => {
      const response = await gateway.post(JSON.stringify({ query: THREE }), { ...BEARER, accept });
      expect(response.headers.get('content-type')).toContain('json');
      expect(await response.json()).toHaveProperty('data.debtors.nodes');
    },
  );

  test('has edges as rows, with their cursors in the selected column', async () => {
    const query = inList('edges { node { name city: postalAddress { city } } at: cursor }', ', first: 2');
    expect(parse(await exportText(gateway, 'csv', query))).toEqual([
      ['name', 'city.city', 'at'],
      ['Noëlle IJzerman', 'Sneek', 'OzMwMDAwMQ'],
      ['Kinderopvang Pippeloentje Sneek', 'Sneek', 'OzMwMDAwNwozMDAwMDE'],
    ]);
    expect(linesIn(await exportText(gateway, 'ndjson', query))[0]).toEqual({
      name: 'Noëlle IJzerman',
      city: { city: 'Sneek' },
      at: 'OzMwMDAwMQ',
    });
  });

  test('finds its list in objects and fragments, next to `__typename` and `pageInfo`', async () => {
    const query = `query Rows($with: Boolean!) {
      __typename
      books: administration(id: "${ADMINISTRATION}") { __typename ...List }
    }
    fragment List on Administration { all: debtors(first: 2) { __typename pageInfo { endCursor } nodes { ...Row name @skip(if: $with) } } }
    fragment Row on Debtor { __typename debtorNumber }`;
    const response = await fetchExport(gateway, 'csv', query, { variables: { with: true } });
    expect(response.headers.get('content-disposition')).toContain('filename="all.csv"');
    expect(parse(await response.text())).toEqual([
      ['__typename', 'debtorNumber'],
      ['Debtor', 'D10000'],
      ['Debtor', 'D10002'],
    ]);
  });

  test('has joins as columns, with one lookup for each page', async () => {
    const query = `{ deletedCreditCases(administrationId: "${ADMINISTRATION}", first: 20) {
      nodes { internalId debtor { name } } } }`;
    const rows: string[][] = parse(await exportText(gateway, 'csv', query));
    expect(rows.shift()).toEqual(['internalId', 'debtor.name']);
    expect(gateway.calls().map(({ call }) => call)).toEqual([
      'GET /v1/credit_cases/deleted',
      'GET /v1/debtors',
    ]);
    const { data } = await gateway.query(query);
    expect(data).toEqual({
      deletedCreditCases: {
        nodes: rows.map(([internalId, name]) => ({ internalId, debtor: name ? { name } : null })),
      },
    });
  });

  test('adds the cursor of each row, and another export continues after it', async () => {
    const options = { cursor: '1' };
    const query = inList('nodes { internalId }', ', first: 3');
    const [, , last] = linesIn(await exportText(gateway, 'ndjson', query, { options }));
    const cursor = 'OzMwMDAxMAozMDAwMDcKMzAwMDAx';
    expect(last).toMatchObject({ internalId: '300010', _cursor: cursor });
    // The other one was given by an earlier build.
    for (const after of [cursor, 'Og.MzAwMDEw.MzAwMDA3.MzAwMDAx']) {
      const rows = parse(await exportText(gateway, 'csv', query, { options: { ...options, after } }));
      expect(rows.slice(0, 2)).toEqual([
        ['internalId', '_cursor'],
        ['300013', 'OzMwMDAxMwozMDAwMTAKMzAwMDA3'],
      ]);
    }
  });

  test('can have a byte order mark, another separator, and formulas', async () => {
    const options = { bom: '1', separator: ';' };
    const bytes = Buffer.from(await (await fetchExport(gateway, 'csv', THREE, { options })).arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    expect(parse(bytes, { bom: true, delimiter: ';' })).toEqual(THREE_ROWS);
    const tabs = await exportText(gateway, 'csv', THREE, { options: { separator: 'tab', formulas: '1' } });
    expect(parse(tabs, { delimiter: '\t' })).toEqual(THREE_ROWS);
  });

  test('has only its header or its last line if the list is empty', async () => {
    const query = inList('nodes { name }', ', ids: []');
    expect(await exportText(gateway, 'csv', query)).toBe('name\r\n');
    expect(await exportText(gateway, 'ndjson', query)).toBe('{"end":true,"rows":0}\n');
  });
});
