import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { gather } from '../../support/processes.ts';
import { makeFolder } from '../../support/resources.ts';
import { ClosingPipe, run, start } from '../support.ts';
import { cursorOf, type FakeGateway, type Fault, fakeRows, QUERY, startFakeGateway } from './fake-gateway.ts';
import { csvOf, ndjsonOf } from './support.ts';

const TOKEN = 'a-token-that-nobody-sees';
const rows = fakeRows(12);
const csv = csvOf(rows);
const line = (value: object) => JSON.stringify(value);
const at = (count: number, value: object): Fault => ({ kind: 'line', rows: count, line: line(value) });
const refusal = at(5, { error: { message: 'No.', code: 'FORBIDDEN' }, after: cursorOf(4), rows: 5 });

let folder: string;
const file = (name: string) => join(folder, name);

beforeEach(() => {
  folder = makeFolder();
  writeFileSync(file('query.graphql'), QUERY);
});

function environmentOf({ url }: FakeGateway): Record<string, string> {
  return { RECEIVABLES_URL: url.href, RECEIVABLES_TOKEN: TOKEN };
}

/** Runs the command, and checks that it keeps the token to itself. */
async function runExport(gateway: FakeGateway, out: string, args: readonly string[] = [], env = {}) {
  const all = ['export', file('query.graphql'), '--out', out === '-' ? out : file(out), ...args];
  const result = await run(all, { ...environmentOf(gateway), ...env });
  expect(result.output + result.errors).not.toContain(TOKEN);
  return result;
}

function contentOf(name: string): string {
  const bytes = readFileSync(file(name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

test('export writes a list to a file, and sends the query with the token', async () => {
  const gateway = await startFakeGateway(rows);
  const { status, output, errors } = await runExport(gateway, 'rows.csv', ['--variables', '{"a":"1002"}']);
  expect({ status, output }).toEqual({ status: 0, output: '' });
  expect(errors).toMatch(/rows\.csv: 12 rows\.\n$/);
  expect(contentOf('rows.csv')).toBe(csv);
  expect(readdirSync(folder)).toEqual(['query.graphql', 'rows.csv']);
  const [request] = gateway.requests;
  expect(`${request?.url.pathname}${request?.url.search}`).toBe('/graphql.ndjson?cursor=1');
  expect(request).toMatchObject({
    authorization: `Bearer ${TOKEN}`,
    body: { query: QUERY, variables: { a: '1002' } },
  });
});

test('export writes only rows to standard output, and no messages with --quiet', async () => {
  const gateway = await startFakeGateway(rows);
  const ndjson = { status: 0, output: ndjsonOf(rows), errors: '' };
  expect(await runExport(gateway, '-', ['--quiet'])).toEqual(ndjson);
  expect(await runExport(gateway, '-', ['--quiet', '--format', 'csv'])).toEqual({ ...ndjson, output: csv });
});

test('export writes CSV with its options, also without rows', async () => {
  const style = ['--format', 'csv', '--separator', 'tab', '--bom', '--formulas'];
  await runExport(await startFakeGateway(rows.slice(0, 2)), 'rows.txt', style);
  expect(contentOf('rows.txt')).toBe(
    '\uFEFFid\tname\tpostalAddress.city\tlabels.name\r\n' +
      'id-0\tNoëlle\t\t""\r\n' +
      'id-1\t=SUM(A1)\tUtrecht 1\tone; two\r\n',
  );
  const empty = await startFakeGateway([]);
  for (const name of ['none.csv', 'none.ndjson.gz'])
    expect(await runExport(empty, name)).toMatchObject({ status: 0 });
  expect(contentOf('none.csv')).toBe(csvOf([]));
  expect(contentOf('none.ndjson.gz')).toBe('');
});

test('export reports that nothing listens at the address', async () => {
  const gateway = await startFakeGateway([]);
  const nobody = `Nothing listens at ${gateway.url.host} (ECONNREFUSED): is the gateway running there?`;
  gateway.leave();
  expect(await runExport(gateway, 'rows.csv')).toMatchObject({
    status: 1,
    errors: `${nobody} Retrying in 1 s.\n${nobody} No row was written.\n`,
  });
});

describe('export writes each row once', () => {
  const firstRow = Buffer.byteLength(`${line({ ...rows[0], _cursor: cursorOf(0) })}\n`);
  const overloaded = line({ errors: [{ message: 'Full.', extensions: { code: 'OVERLOADED' } }] });
  const later = { error: { message: 'Later.', code: 'RATE_LIMITED' }, after: cursorOf(4), rows: 5 };

  test.each<[fault: Fault, kept: number, reason: RegExp]>([
    [{ kind: 'reset' }, 0, /^The connection to 127.0.0.1:\d+ failed: /],
    [{ kind: 'cut', bytes: firstRow + 30, isClean: true }, 1, /^The response ended early\./],
    [{ kind: 'line', rows: 3, line: '<html>' }, 3, /a line that is not a JSON object\./],
    [{ kind: 'status', status: 503, body: overloaded }, 0, /\(OVERLOADED\) Retrying/],
    [at(5, later), 5, /^Later\. \(RATE_LIMITED\) Retrying in 1 s\./],
  ])('after the fault %j', async (fault, kept, reason) => {
    const gateway = await startFakeGateway(rows, [fault]);
    const { status, errors } = await runExport(gateway, 'rows.ndjson');
    expect(status).toBe(0);
    expect(errors).toMatch(reason);
    expect(contentOf('rows.ndjson')).toBe(ndjsonOf(rows));
    expect(gateway.starts()).toEqual([null, kept === 0 ? null : cursorOf(kept - 1)]);
  });

  test('from the start again if the result has no cursors', async () => {
    const query = 'query Q($a: ID = "1001") { debtors(administrationId: $a) { totals { count } } }';
    writeFileSync(file('query.graphql'), query);
    const fault = { kind: 'cut', bytes: firstRow + 30 } as const;
    const gateway = await startFakeGateway(rows, [fault, fault]);
    expect(await runExport(gateway, 'rows.ndjson')).toMatchObject({ status: 0 });
    expect(contentOf('rows.ndjson')).toBe(ndjsonOf(rows));
    expect(gateway.starts()).toEqual([null, null, null]);
  });

  test('up to the `first` of the document, counted over all its requests', async () => {
    const query = QUERY.replace('($a:', '($n: Int = 5, $a:').replace('$a)', '$a, first: $n)');
    writeFileSync(file('query.graphql'), query);
    const gateway = await startFakeGateway(rows, [
      { kind: 'line', rows: 3, line: '{' },
      { kind: 'stall', rows: 2 },
    ]);
    expect(await runExport(gateway, 'rows.ndjson')).toMatchObject({ status: 0 });
    expect(contentOf('rows.ndjson')).toBe(ndjsonOf(rows.slice(0, 5)));
    expect(gateway.starts()).toEqual([null, cursorOf(2)]);
  });
});

describe('export ends with status 1', () => {
  const elsewhere = { location: 'https://gateway.example/graphql' };
  const html = { 'content-type': 'text/html' };
  const invalid = line({ errors: [{ message: 'No.', extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }] });

  test.each<[fault: Fault, message: string]>([
    [refusal, 'No. (FORBIDDEN) '],
    [{ kind: 'status', status: 502, body: invalid }, 'No. (UPSTREAM_INVALID_RESP'],
    [{ kind: 'status', status: 200, headers: html, body: '<html>' }, 'The address responded with text/html,'],
    [{ kind: 'status', status: 301, headers: elsewhere }, 'redirects to https://gateway.example/graphql'],
  ])('immediately after %j', async (fault, message) => {
    const gateway = await startFakeGateway(rows, [fault]);
    const { status, errors } = await runExport(gateway, 'rows.csv');
    expect(status).toBe(1);
    expect(errors).toContain(message);
    expect(gateway.requests).toHaveLength(1);
    expect(existsSync(file('rows.csv.part'))).toBe(errors.includes('--resume'));
  });

  test('after eight failures without a row between them', async () => {
    const unavailable = Array.from({ length: 20 }, (): Fault => ({ kind: 'status', status: 503 }));
    const gateway = await startFakeGateway(rows, unavailable);
    expect((await runExport(gateway, 'rows.csv')).status).toBe(1);
    expect(gateway.requests).toHaveLength(8);
    const slow = await startFakeGateway(
      rows,
      rows.map(() => ({ kind: 'line', rows: 1, line: '{' })),
    );
    expect((await runExport(slow, 'rows.csv')).status).toBe(0);
    expect(slow.requests.length).toBeGreaterThan(8);
  });
});

describe('--resume', () => {
  test('completes an export that a signal ended', async () => {
    const gateway = await startFakeGateway(rows, [{ kind: 'stall', rows: 4 }]);
    const args = ['export', file('query.graphql'), '--out', file('rows.csv')];
    // Only a process gets a signal.
    const child = start(args, environmentOf(gateway));
    const errors = gather(child.stderr);
    await eventually(() => expect(gateway.requests).toHaveLength(1));
    // The rows are on their way now; if they have not come, none are kept, and all are read again.
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(errors()).toMatch(
      /^Interrupted\. (No row was written|.*part has 4 rows: to continue after them, run the same command with --resume)/,
    );
    expect(existsSync(file('rows.csv'))).toBe(false);
    expect(await runExport(gateway, 'rows.csv', ['--resume'])).toMatchObject({ status: 0 });
    expect(gateway.starts()).toEqual([null, errors().includes('4 rows') ? cursorOf(3) : null]);
    expect(readdirSync(folder)).toEqual(['query.graphql', 'rows.csv']);
    expect(contentOf('rows.csv')).toBe(csv);
  });

  test('completes an export that an error ended, also with another token', async () => {
    const error = { message: `The token ${TOKEN} is\u001b[31m expired.`, code: 'UNAUTHENTICATED' };
    const gateway = await startFakeGateway(rows, [at(5, { error, after: cursorOf(4), rows: 5 })]);
    expect(await runExport(gateway, 'rows.csv')).toEqual({
      status: 1,
      output: '',
      errors:
        'The token *** is [31m expired. (UNAUTHENTICATED) ' +
        `${file('rows.csv')}.part has 5 rows: to continue after them, run the same command with --resume.\n`,
    });
    // A killed process leaves the file like this, before it notes its progress.
    appendFileSync(file('rows.csv.part'), 'junk');
    const env = { RECEIVABLES_TOKEN: 'another-token' };
    const { status, errors } = await runExport(gateway, 'rows.csv', ['--resume'], env);
    expect({ status, start: errors.split('\n')[0] }).toEqual({ status: 0, start: 'Resuming after 5 rows.' });
    expect(contentOf('rows.csv')).toBe(csv);
    expect(gateway.starts()).toEqual([null, cursorOf(4)]);
    expect(gateway.requests[1]?.authorization).toBe('Bearer another-token');
  });

  test('rejects another query, format or address', async () => {
    const gateway = await startFakeGateway(rows, [refusal]);
    await runExport(gateway, 'rows.csv');
    const before = readFileSync(file('rows.csv.part'));
    const others = [
      ['--variables', '{"a":"1002"}'],
      ['--separator', ';'],
      ['--url', gateway.url.href.replace('127.0.0.1', 'localhost')],
      ['--operation', 'Q'],
    ];
    for (const args of others)
      expect(await runExport(gateway, 'rows.csv', ['--resume', ...args])).toEqual({
        status: 2,
        output: '',
        errors: `${file('rows.csv')}.part belongs to another query, variables, address or format. To start again, omit --resume.\n`,
      });
    expect(readFileSync(file('rows.csv.part'))).toEqual(before);
    expect(gateway.requests).toHaveLength(1);
  });

  test('does nothing if the file is complete', async () => {
    const gateway = await startFakeGateway(rows);
    writeFileSync(file('rows.csv'), 'before');
    expect(await runExport(gateway, 'rows.csv', ['--resume'])).toEqual({
      status: 0,
      output: '',
      errors: `${file('rows.csv')} is complete. To export it again and replace it, omit --resume.\n`,
    });
    expect(gateway.requests).toHaveLength(0);
    expect(await runExport(gateway, 'rows.csv')).toMatchObject({ status: 0 });
    expect(contentOf('rows.csv')).toBe(csv);
  });
});

test('export reports a file that cannot be written before any request', async () => {
  const gateway = await startFakeGateway(rows);
  const { status, errors } = await runExport(gateway, 'missing/rows.csv');
  expect({ status, errors }).toEqual({ status: 1, errors: expect.stringMatching(/^ENOENT: .* No row was/) });
  expect(gateway.requests).toHaveLength(0);
});

describe('export to standard output', () => {
  test('ends with status 1 if it is not complete', async () => {
    expect(await runExport(await startFakeGateway(rows, [refusal]), '-')).toEqual({
      status: 1,
      output: ndjsonOf(rows.slice(0, 5)),
      errors: 'No. (FORBIDDEN) 5 rows were written. Only the export to a file can be resumed.\n',
    });
  });

  test('ends quietly with status 1 if its reader stops', async () => {
    const gateway = await startFakeGateway(fakeRows(5_000));
    const args = ['export', file('query.graphql'), '--out', '-', '--quiet'];
    const result = await run(args, environmentOf(gateway), { stdout: new ClosingPipe(1) });
    expect(result).toMatchObject({ status: 1, errors: '' });
  });
});

test.each([
  ['a wrong variable', ['--out', '-', '--variables', '{"a":{}}'], 'Variable "$a" got an invalid value'],
  [
    'a wrong address',
    ['--out', '-', '--url', `http://a:${TOKEN}@b/`],
    '--url takes the address of a gateway, such as',
  ],
])('export ends with status 2 for %s', async (_what, args, message) => {
  const { status, output, errors } = await run(['export', file('query.graphql'), ...args], {
    RECEIVABLES_TOKEN: TOKEN,
  });
  expect({ status, output }).toEqual({ status: 2, output: '' });
  expect(errors).toContain(message);
  expect(errors).not.toContain(TOKEN);
});

test.each([
  ['{ debtors(', /^Syntax Error: Expected Name, found <EOF>\.\s+GraphQL request:1:11\n/],
  [
    '{ debtors(administrationId: "1", limit: 3) { nodes { email nme } } }',
    /Use `first` to .*Use `primaryEmailAddress`.*Did you mean "name".*\nThe schema is/s,
  ],
  ['query A { companies { nodes { id } } } query B { __typename }', 'Name the operation to run'],
])('export rejects an invalid query with the message of the gateway: %s', async (query, message) => {
  writeFileSync(file('query.graphql'), query);
  const { status, errors } = await run(['export', file('query.graphql'), '--out', '-'], {});
  expect(status).toBe(2);
  expect(errors).toMatch(message);
});

test('export ends with status 2 for an unreadable query or invalid token, and hides the token', async () => {
  expect(await run(['export', '/missing.graphql', '--out', 'x.csv'])).toMatchObject({
    status: 2,
    errors: expect.stringMatching(/^export takes a file that can be read, not '\/missing.graphql'; see/),
  });
  const tokens = [
    [{}, /^There is no token: set RECEIVABLES_TOKEN, or RECEIVABLES_TOKEN_FILE/],
    [{ RECEIVABLES_TOKEN: `Bearer ${TOKEN}` }, /^The token contains a character that is not allowed/],
    [{ RECEIVABLES_TOKEN: TOKEN, RECEIVABLES_TOKEN_FILE: '/x' }, /are both set: set one of them\.$/m],
  ] as const;
  for (const [env, says] of tokens) {
    const { status, errors } = await run(['export', file('query.graphql'), '--out', '-'], env);
    expect({ status, errors }).toEqual({ status: 2, errors: expect.stringMatching(says) });
    expect(errors).not.toContain(TOKEN);
  }
});
