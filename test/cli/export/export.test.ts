import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { gather } from '../../support/processes.ts';
import { type CommandOutputs, FailingOutput, run, start, startCommand, TextOutput } from '../support.ts';
import { cursorOf, type FakeGateway, type Fault, fakeRows, QUERY, startFakeGateway } from './fake-gateway.ts';
import { FORMATS, makeFolder, ndjsonOf } from './support.ts';

const TOKEN = 'a-token-that-nobody-sees';
const rows = fakeRows(9);
const csv =
  FORMATS.csv.header + rows.map((value) => FORMATS.csv.line({ cursor: '', value: { ...value } })).join('');
const at = (count: number, line: object): Fault => ({
  kind: 'line',
  rows: count,
  line: JSON.stringify(line),
});

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
async function runExport(
  gateway: FakeGateway,
  out: string,
  args: readonly string[] = [],
  env = {},
  outputs: CommandOutputs = {},
) {
  const all = ['export', file('query.graphql'), '--out', out === '-' ? out : file(out), ...args];
  const result = await run(all, { ...environmentOf(gateway), ...env }, outputs);
  expect(result.output + result.errors).not.toContain(TOKEN);
  return result;
}

test('writes the list to a file, and sends the query with the token', async () => {
  const gateway = await startFakeGateway(rows);
  const { status, output, errors } = await runExport(gateway, 'rows.csv', ['--variables', '{"a":"1002"}']);
  expect({ status, output }).toEqual({ status: 0, output: '' });
  expect(errors).toMatch(/rows\.csv: 9 rows, [\d,]+ rows\/s, 00:00:\d\d\n$/);
  expect(readFileSync(file('rows.csv'), 'utf8')).toBe(csv);
  expect(readdirSync(folder)).toEqual(['query.graphql', 'rows.csv']);
  const [{ url, authorization, body } = { url: undefined, authorization: undefined, body: undefined }] =
    gateway.requests;
  expect(`${url?.pathname}${url?.search}`).toBe('/graphql.ndjson?cursor=1');
  expect(authorization).toBe(`Bearer ${TOKEN}`);
  expect(body).toMatchObject({ query: QUERY, variables: { a: '1002' } });
});

test('writes standard output, and nothing else with --quiet', async () => {
  const gateway = await startFakeGateway(rows);
  const ndjson = { status: 0, output: ndjsonOf(rows), errors: '' };
  expect(await runExport(gateway, '-', ['--quiet'])).toEqual(ndjson);
  expect(await runExport(gateway, '-', ['--quiet', '--format', 'csv'])).toEqual({ ...ndjson, output: csv });
});

test('says at once that nothing listens at the address', async () => {
  const gateway = await startFakeGateway([]);
  gateway.leave();
  const { status, errors } = await runExport(gateway, 'rows.csv');
  const { host } = gateway.url;
  expect({ status, errors }).toEqual({
    status: 1,
    errors: `Nothing listens at ${host} (ECONNREFUSED): is the gateway running there? No row was written.\n`,
  });
});

test('says at once that the port speaks http', async () => {
  const gateway = await startFakeGateway([]);
  const { host } = gateway.url;
  const { status, errors } = await runExport(gateway, 'rows.csv', ['--url', `https://${host}/graphql`]);
  expect(status).toBe(1);
  expect(errors).toContain(`${host} speaks http, not https: begin --url with http://.`);
});

test('writes CSV as it is asked to', async () => {
  const gateway = await startFakeGateway(rows.slice(0, 2));
  await runExport(gateway, 'rows.txt', ['--format', 'csv', '--separator', 'tab', '--bom', '--formulas']);
  expect(readFileSync(file('rows.txt'), 'utf8')).toBe(
    '\uFEFFid\tname\tpostalAddress.city\tlabels.name\r\n' +
      'id-0\tNoëlle\t\t""\r\n' +
      'id-1\t=SUM(A1)\tUtrecht 1\tone; two\r\n',
  );
});

test('writes Parquet, with the columns of the document', async () => {
  const gateway = await startFakeGateway(rows);
  expect(await runExport(gateway, 'rows.parquet')).toMatchObject({ status: 0 });
  const found = await parquetReadObjects({ file: await asyncBufferFromFile(file('rows.parquet')) });
  expect(found).toEqual(
    rows.map(({ id, name, postalAddress, labels }) => ({
      id,
      name,
      'postalAddress.city': postalAddress?.city ?? null,
      'labels.name': labels.map((label) => label.name).join('; '),
    })),
  );
  expect(readdirSync(folder)).toEqual(['query.graphql', 'rows.parquet']);
});

test('goes on by itself behind a connection that breaks', async () => {
  const gateway = await startFakeGateway(rows, [{ kind: 'reset' }]);
  const { status, errors } = await runExport(gateway, 'rows.csv');
  expect(status).toBe(0);
  expect(errors).toMatch(/^The connection to 127.0.0.1:\d+ failed: \w+\. Tries again in [12] s\.\n/);
  expect(readFileSync(file('rows.csv'), 'utf8')).toBe(csv);
});

describe('what ends before its list does is completed by --resume', () => {
  const read = async (name: string) => {
    if (name.endsWith('.parquet')) {
      const found = await parquetReadObjects({ file: await asyncBufferFromFile(file(name)) });
      return found.map(({ id }) => id);
    }
    const bytes = readFileSync(file(name));
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  };

  test.each([
    ['rows.csv', csv],
    ['rows.csv.gz', csv],
    ['rows.parquet', rows.map(({ id }) => id)],
  ])('%s after an interruption', async (name, expected) => {
    const gateway = await startFakeGateway(rows, [{ kind: 'stall', rows: 4 }]);
    const { errors, ended, interrupt } = startCommand(
      ['export', file('query.graphql'), '--out', file(name)],
      environmentOf(gateway),
    );
    await eventually(() => expect(gateway.requests).toHaveLength(1));
    // The rows are on their way now; if they have not come, none are kept, and all are read again.
    interrupt();
    expect(await ended).toBe(130);
    await completedByResume(name, gateway, errors());
    expect(await read(name)).toEqual(expected);
  });

  test('after a signal', async () => {
    const gateway = await startFakeGateway(rows, [{ kind: 'stall', rows: 4 }]);
    // Only a process gets a signal.
    const child = start(['export', file('query.graphql'), '--out', file('rows.csv')], environmentOf(gateway));
    const errors = gather(child.stderr);
    await eventually(() => expect(gateway.requests).toHaveLength(1));
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    await completedByResume('rows.csv', gateway, errors());
    expect(await read('rows.csv')).toBe(csv);
  });

  async function completedByResume(name: string, gateway: FakeGateway, errors: string): Promise<void> {
    expect(errors).toMatch(
      /^Interrupted\. (No row was written|.*part has 4 rows: the same command with --resume)/,
    );
    expect(existsSync(file(name))).toBe(false);
    const kept = errors.includes('4 rows');
    expect(await runExport(gateway, name, ['--resume'])).toMatchObject({ status: 0 });
    expect(gateway.starts()).toEqual([null, kept ? cursorOf(3) : null]);
    expect(readdirSync(folder)).toEqual(['query.graphql', name]);
  }

  test('after an error, with another token too', async () => {
    const error = { message: `The token ${TOKEN} is\u001b[31m expired.`, code: 'UNAUTHENTICATED' };
    const gateway = await startFakeGateway(rows, [at(5, { error, after: cursorOf(4), rows: 5 })]);
    expect(await runExport(gateway, 'rows.csv')).toEqual({
      status: 1,
      output: '',
      errors:
        'The token *** is [31m expired. (UNAUTHENTICATED) ' +
        `${file('rows.csv')}.part has 5 rows: the same command with --resume goes on behind them.\n`,
    });
    const env = { RECEIVABLES_TOKEN: 'another-token' };
    const { status, errors } = await runExport(gateway, 'rows.csv', ['--resume'], env);
    expect({ status, start: errors.split('\n')[0] }).toEqual({ status: 0, start: 'Goes on behind 5 rows.' });
    expect(readFileSync(file('rows.csv'), 'utf8')).toBe(csv);
    expect(gateway.starts()).toEqual([null, cursorOf(4)]);
    expect(gateway.requests[1]?.authorization).toBe('Bearer another-token');
  });

  test('where no more could be written', async () => {
    const many = fakeRows(20_000);
    const gateway = await startFakeGateway(many);
    // Only a process has a limit on the size of files, in blocks of 512 or 1,024 bytes. The write that meets it is cut.
    const line = 'ulimit -f 1500 && exec "$0" "$@"';
    const command = [inject('bundledMain'), 'export', file('query.graphql'), '--out', file('rows.ndjson')];
    const child = spawn('sh', ['-c', line, process.execPath, ...command], {
      env: { PATH: process.env.PATH, ...environmentOf(gateway) },
    });
    const errors = gather(child.stderr);
    const [status] = await once(child, 'close');
    expect(status).toBe(1);
    const [, saved] =
      /^EFBIG: .*, write\. .* has ([\d,]+) rows: the same command with --resume goes on/.exec(errors()) ?? [];
    expect(saved).toMatch(/^\d+,\d+$/);
    const resumed = await runExport(gateway, 'rows.ndjson', ['--resume']);
    expect(resumed.status).toBe(0);
    expect(resumed.errors).toContain(`Goes on behind ${saved} rows.`);
    expect(readFileSync(file('rows.ndjson'), 'utf8')).toBe(ndjsonOf(many));
    expect(gateway.starts()[1]).not.toBeNull();
  });

  test('not with another query, format or address', async () => {
    const error = { message: 'No.', code: 'UNAUTHENTICATED' };
    const gateway = await startFakeGateway(rows, [at(5, { error, after: cursorOf(4), rows: 5 })]);
    await runExport(gateway, 'rows.csv');
    const before = readFileSync(`${file('rows.csv')}.part`);
    const refusals = [
      ['it was begun with other variables', ['--variables', '{"a":"1002"}']],
      ['it has another format', ['--separator', ';']],
      ['it comes from another address', ['--url', gateway.url.href.replace('127.0.0.1', 'localhost')]],
      ['it is of another query', ['--operation', 'Q']],
    ] as const;
    await Promise.all(
      refusals.map(async ([why, args]) =>
        expect(await runExport(gateway, 'rows.csv', ['--resume', ...args])).toEqual({
          status: 2,
          output: '',
          errors: `${file('rows.csv')}.part cannot be resumed, since ${why}: leave out --resume to start anew.\n`,
        }),
      ),
    );
    expect(readFileSync(`${file('rows.csv')}.part`)).toEqual(before);
    expect(gateway.requests).toHaveLength(1);
  });
});

test('standard output is whole, or the status says that it is not', async () => {
  const gateway = await startFakeGateway(rows, [
    at(5, { error: { message: 'No.', code: 'FORBIDDEN' }, rows: 5 }),
  ]);
  expect(await runExport(gateway, '-')).toEqual({
    status: 1,
    output: ndjsonOf(rows.slice(0, 5)),
    errors: 'No. (FORBIDDEN) 5 rows were written. Only the export to a file can be resumed.\n',
  });
  const gap = await startFakeGateway(rows, [{ kind: 'gap', row: 2 }]);
  const { status, errors } = await runExport(gap, '-');
  expect(status).toBe(1);
  expect(errors).toMatch(/^Rows are missing, and those behind them are written\./);
});

test('a standard output that cannot be written is told in a sentence', async () => {
  const gateway = await startFakeGateway(rows);
  const stdout = new FailingOutput('ENOSPC', 'ENOSPC: no space left on device, write');
  expect(await runExport(gateway, '-', [], {}, { stdout })).toEqual({
    status: 1,
    output: '',
    errors:
      'ENOSPC: no space left on device, write. 0 rows were written. Only the export to a file can be resumed.\n',
  });
});

test('a closed standard output is refused before anything is read, and /dev/null is not', async () => {
  const gateway = await startFakeGateway(rows);
  const exportTo = (flags: string) => {
    const fd = openSync('/dev/null', flags);
    onTestFinished(() => closeSync(fd));
    return runExport(gateway, '-', ['--quiet'], {}, { stdout: Object.assign(new TextOutput(), { fd }) });
  };
  // As Node opens it in place of a closed one; test/cli/changes/changes.test.ts closes a real one.
  expect(await exportTo('r+')).toEqual({
    status: 1,
    output: '',
    errors: 'Standard output is closed or discarded: the rows would be lost.\n',
  });
  expect(gateway.requests).toHaveLength(0);
  expect(await exportTo('w')).toEqual({ status: 0, output: ndjsonOf(rows), errors: '' });
});

test('ends quietly, and not with status 0, where nobody reads on', async () => {
  const gateway = await startFakeGateway(fakeRows(20_000));
  // Only a process has a pipe that can be closed.
  const child = start(['export', file('query.graphql'), '--out', '-', '--quiet'], environmentOf(gateway));
  const errors = gather(child.stderr);
  child.stdout?.once('data', () => child.stdout?.destroy());
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(errors()).toBe('');
});

test('writes the file where nobody can be told of its progress', async () => {
  const gateway = await startFakeGateway(rows);
  const { status } = await runExport(gateway, 'rows.csv', [], {}, { stderr: new FailingOutput('ENOSPC') });
  expect(status).toBe(0);
  expect(readFileSync(file('rows.csv'), 'utf8')).toBe(csv);
});

test('replaces a file that is there, except with --resume', async () => {
  const gateway = await startFakeGateway(rows);
  writeFileSync(file('rows.csv'), 'before');
  expect(await runExport(gateway, 'rows.csv', ['--resume'])).toEqual({
    status: 0,
    output: '',
    errors: `${file('rows.csv')} is finished: leave out --resume to export it anew, and to replace it.\n`,
  });
  expect(readFileSync(file('rows.csv'), 'utf8')).toBe('before');
  expect(gateway.requests).toHaveLength(0);
  expect(await runExport(gateway, 'rows.csv')).toMatchObject({ status: 0 });
  expect(readFileSync(file('rows.csv'), 'utf8')).toBe(csv);
});

describe('status 2 is for', () => {
  test.each([
    ['a wrong variable', ['--out', '-', '--variables', '{"a":{}}'], 'Variable "$a" got an invalid value'],
    [
      'a wrong address',
      ['--out', '-', '--url', `http://a:${TOKEN}@b/`],
      '--url takes the address of a gateway, such as',
    ],
    [
      'a folder that is not there',
      ['--out', '/missing/x.csv'],
      "--out takes a file that can be written, not '/",
    ],
    [
      'a folder as the file to resume',
      ['--out', '/', '--format', 'csv', '--resume'],
      "--out takes a file that can be written, not '/'",
    ],
    [
      'a device, which would be replaced',
      ['--out', '/dev/null', '--format', 'csv', '--url', 'http://127.0.0.1:1'],
      "--out takes a file that can be written, not '/dev/null'",
    ],
  ])('%s', async (_what, args, message) => {
    const env = { RECEIVABLES_TOKEN: TOKEN };
    const { status, output, errors } = await run(['export', file('query.graphql'), ...args], env);
    expect({ status, output }).toEqual({ status: 2, output: '' });
    expect(errors).toContain(message);
    expect(errors).not.toContain(TOKEN);
  });

  test('no token, where nobody can be asked for it', async () => {
    const { status, errors } = await run(['export', file('query.graphql'), '--out', '-']);
    expect({ status, errors }).toEqual({
      status: 2,
      errors:
        'There is no token: set RECEIVABLES_TOKEN, or RECEIVABLES_TOKEN_FILE to a file that holds it.\n',
    });
  });

  test('a query that cannot be read', async () => {
    const { status, errors } = await run(['export', '/missing.graphql', '--out', 'x.csv']);
    expect({ status, errors }).toEqual({
      status: 2,
      errors:
        "export takes a file that can be read, not '/missing.graphql'; see receivables-graphql export --help.\n",
    });
  });
});
