import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { demoCredentials } from '../../../src/demo/applications.ts';
import {
  FOREIGN_ADMINISTRATION,
  freshGateway,
  OTHER_BEARER,
  postTo,
  useGateway,
} from '../../support/gateway.ts';
import { listen, makeFolder } from '../../support/resources.ts';
import { run } from '../support.ts';
import { fakeRows, startFakeGateway } from './fake-gateway.ts';

/** The few hundred debtors of company B are several pages. */
const rest = { maxPerPage: 100 };
const gateway = await useGateway({ rest });
const TOKEN = demoCredentials.tokens.companyB;
const VARIABLES = { a: FOREIGN_ADMINISTRATION };
const DEBTOR =
  'id name bookOpenAmount paymentBehaviour peppolEnabled updatedAt callPhoneNumber postalAddress { city } labels { name }';
const queryOf = (list: string) => `query ($a: ID!) { ${list} }`;
const NODES = queryOf(`debtors(administrationId: $a, first: 240) { nodes { ${DEBTOR} } }`);

async function bodyOf(format: 'csv' | 'ndjson', query: string, search = ''): Promise<string> {
  const operation = { query, variables: VARIABLES };
  return (await postTo(`${gateway.url}.${format}${search}`, operation, OTHER_BEARER)).text();
}

async function rowsOf(query: string): Promise<string> {
  const text = await bodyOf('ndjson', query);
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  expect(JSON.parse(text.slice(end))).toMatchObject({ end: true });
  return text.slice(0, end);
}

async function exportTo(
  name: string,
  { url }: { readonly url: string } = gateway,
  query = NODES,
  options: readonly string[] = [],
): Promise<string> {
  const folder = makeFolder();
  writeFileSync(join(folder, 'query.graphql'), `${query}\n`);
  const args = ['--out', join(folder, name), '--variables', JSON.stringify(VARIABLES), '--quiet', ...options];
  const env = { RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_URL: url };
  const result = await run(['export', join(folder, 'query.graphql'), ...args], env);
  expect(result).toEqual({ status: 0, output: '', errors: '' });
  return join(folder, name);
}

test('export writes the same CSV and NDJSON as the gateway', async () => {
  const options = ['--separator', ';', '--decimal', ',', '--phones', '--time-zone', 'Europe/Amsterdam'];
  const written = readFileSync(await exportTo('rows.csv', gateway, NODES, options), 'utf8');
  expect(written).toBe(
    await bodyOf('csv', NODES, '?separator=;&decimal=,&phones=1&timeZone=Europe/Amsterdam'),
  );
  expect(written).toMatch(/;-?\d+,\d\d;/);
  expect(readFileSync(await exportTo('rows.ndjson'), 'utf8')).toBe(await rowsOf(NODES));
});

test('export --estimate prints the cost of the export and starts none', async () => {
  const [folder, env] = [makeFolder(), { RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_URL: gateway.url }];
  const estimate = (query: string, more = env) => {
    writeFileSync(join(folder, 'query.graphql'), query);
    const args = ['--estimate', '--out', join(folder, 'rows.csv'), '--variables', JSON.stringify(VARIABLES)];
    return run(['export', join(folder, 'query.graphql'), ...args, '--quiet'], more);
  };
  const { status, output } = await estimate(NODES);
  expect({ status, extensions: JSON.parse(output) }).toMatchObject({
    status: 0,
    extensions: { cost: { estimatedCalls: 1, maxCalls: null }, explain: [{ path: '/v1/debtors' }] },
  });
  const refused = await estimate(
    NODES.replace('first: 240', 'first: 240, among: 0, orderBy: [{ field: NAME }]'),
  );
  expect(refused).toMatchObject({
    status: 2,
    errors: expect.stringMatching(/^`among` takes a number from 1\. \(BAD/),
  });
  const body = '{ "errors": [{ "message": "No." }] }';
  const old = await startFakeGateway(fakeRows(3), [{ kind: 'status', status: 406, body }]);
  const failure = await estimate(NODES, { ...env, RECEIVABLES_URL: old.url.href });
  expect(failure).toMatchObject({
    status: 1,
    errors: expect.stringMatching(/^The gateway does not support estimates/),
  });
  // It exports at another path, whatever type is asked for.
  expect(old.requests.map(({ url }) => url.pathname)).toEqual(['/graphql']);
  expect(readdirSync(folder)).toEqual(['query.graphql']);
  expect(gateway.calls()).toEqual([]);
});

test.each([
  [
    'groups',
    'groups(by: LABELS_NAME, thenBy: POSTAL_ADDRESS_CITY) { key thenKey totals { count bookOpenAmount { sum } } }',
  ],
  ['totals', 'totals { count bookOpenAmount { sum } }'],
])('export writes %s as the gateway does', async (_, rows) => {
  const query = queryOf(`debtors(administrationId: $a) { ${rows} }`);
  expect(readFileSync(await exportTo('rows.csv', gateway, query), 'utf8')).toBe(await bodyOf('csv', query));
  expect(readFileSync(await exportTo('rows.ndjson', gateway, query), 'utf8')).toBe(await rowsOf(query));
});

test('export works with a gateway that has trusted documents', async () => {
  const hash = createHash('sha256').update(NODES).digest('hex');
  const trusting = await freshGateway({ rest, gateway: { trustedDocuments: new Map([[hash, NODES]]) } });
  expect(readFileSync(await exportTo('rows.ndjson', trusting), 'utf8')).toBe(await rowsOf(NODES));
  const file = join(makeFolder(), 'query.graphql');
  writeFileSync(file, NODES);
  const env = { RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_URL: trusting.url };
  const args = ['export', file, '--estimate', '--variables', JSON.stringify(VARIABLES)];
  expect(await run(args, env)).toMatchObject({
    status: 0,
    output: expect.stringContaining('"estimatedCalls": 1'),
  });
});

async function startCuttingProxy(cuts: number[]): Promise<string> {
  const server = createServer(async (request, response) => {
    const { authorization = '', accept = '' } = request.headers;
    const answer = await fetch(new URL(request.url ?? '', gateway.url), {
      method: 'POST',
      headers: { authorization, accept, 'content-type': 'application/json' },
      body: await text(request),
    });
    response.writeHead(answer.status, { 'content-type': `${answer.headers.get('content-type')}` });
    const lines = (await answer.text()).split(/(?<=\n)/);
    const cut = cuts.shift();
    if (cut === undefined) response.end(lines.join(''));
    else response.write(lines.slice(0, cut).join(''), () => response.destroy());
  });
  return `http://127.0.0.1:${await listen(server)}/graphql`;
}

test.each([
  ['a plain list', NODES],
  ['edges', queryOf('debtors(administrationId: $a, first: 220) { edges { cursor node { id name } } }')],
  [
    'a list that is ordered',
    queryOf(
      'debtors(administrationId: $a, orderBy: [{ field: BOOK_OPEN_AMOUNT }, { field: NAME }]) { nodes { id } }',
    ),
  ],
  [
    'a list that is filtered',
    queryOf('debtors(administrationId: $a, where: { name: { contains: "e" } }) { nodes { id name } }'),
  ],
])('export writes every row once if the connection breaks: %s', async (_what, query) => {
  const cuts = [1, 99, 1];
  const path = await exportTo('rows.ndjson', { url: await startCuttingProxy(cuts) }, query);
  expect(readFileSync(path, 'utf8')).toBe(await rowsOf(query));
  expect(cuts).toEqual([]);
});
