import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { casesOf } from '../../support/search.ts';
import { cursorOf, type Fault, fakeRows, startFakeGateway } from './fake-gateway.ts';
import { type CopyFromOptions, copyFrom, makeFolder, ndjsonOf, openPart } from './support.ts';

const rows = fakeRows(12);
const line = (value: object) => JSON.stringify(value);

/** Exports to a file, and gives what it has, with what was asked for and why. */
async function exportWith(faults: readonly Fault[], options: CopyFromOptions = {}) {
  const gateway = await startFakeGateway(rows, faults);
  const folder = makeFolder();
  const path = join(folder, 'rows.ndjson');
  const output = await openPart(path);
  const { retries } = await copyFrom(gateway, output, options);
  await output.complete();
  expect(readdirSync(folder)).toEqual(['rows.ndjson']);
  return { text: readFileSync(path, 'utf8'), retries, starts: gateway.starts() };
}

/** Of the whole answer, before the row with this name has it. */
function bytesTo(name: string): number {
  const body = rows.map((row, index) => `${line({ ...row, _cursor: cursorOf(index) })}\n`).join('');
  return Buffer.byteLength(body.slice(0, body.indexOf(name)));
}

const firstRow = Buffer.byteLength(`${line({ ...rows[0], _cursor: cursorOf(0) })}\n`);

test.each<[string, Fault]>([
  ['breaks off in a line', { kind: 'cut', bytes: firstRow + 30 }],
  [
    'breaks off behind a line',
    { kind: 'cut', bytes: Buffer.byteLength(`${line(rows[0] ?? {})}\n`), isClean: true },
  ],
  ['lacks a row', { kind: 'gap', row: 2 }],
])('rows without cursors start anew where an answer %s', async (_, fault) => {
  const { text, starts } = await exportWith([fault, fault], { hasCursors: false });
  expect(text).toBe(ndjsonOf(rows));
  expect(starts).toEqual([null, null, null]);
});

test('a gateway that is gone is waited for, but not one that never was there', async () => {
  const gateway = await startFakeGateway(rows, [{ kind: 'cut', bytes: firstRow + 30 }]);
  const path = join(makeFolder(), 'rows.ndjson');
  const output = await openPart(path);
  const { retries } = await copyFrom(gateway, output, {
    onRetry({ message }) {
      if (message.startsWith('Nothing listens at 127.0.0.1:')) gateway.comeBack();
      else gateway.leave();
    },
  });
  await output.complete();
  expect(readFileSync(path, 'utf8')).toBe(ndjsonOf(rows));
  expect(retries).toHaveLength(2);
  gateway.leave();
  await expect(copyFrom(gateway, await openPart(path))).rejects.toThrow(
    `Nothing listens at ${gateway.url.host} (ECONNREFUSED): is the gateway running there?`,
  );
});

describe('all rows are there once, behind', () => {
  test.each<[string, Fault, number | undefined, string | RegExp]>([
    ['a connection that is reset', { kind: 'reset' }, 0, /^The connection to 127.0.0.1:\d+ failed: /],
    ['one that is reset in a line', { kind: 'cut', bytes: firstRow + 30 }, undefined, /^The connection to /],
    [
      'one that is reset in a character',
      { kind: 'cut', bytes: bytesTo('👍') + 2 },
      undefined,
      /^The connection to /,
    ],
    [
      'an end in a line',
      { kind: 'cut', bytes: firstRow + 30, isClean: true },
      1,
      'The answer breaks off before its end.',
    ],
    [
      'an end behind a line',
      { kind: 'cut', bytes: firstRow, isClean: true },
      1,
      'The answer breaks off before its end.',
    ],
    ['an empty answer', { kind: 'cut', bytes: 0, isClean: true }, 0, 'The answer breaks off before its end.'],
    [
      'a line of something else',
      { kind: 'line', rows: 3, line: '<html>' },
      3,
      'The answer has a line that is no JSON object.',
    ],
    [
      'a line of JSON',
      { kind: 'line', rows: 3, line: '[]' },
      3,
      'The answer has a line that is no JSON object.',
    ],
    [
      'a row without its cursor',
      { kind: 'line', rows: 2, line: line({ id: 'x' }) },
      2,
      /neither a row with its cursor nor an end/,
    ],
    [
      'an end that counts more',
      { kind: 'line', rows: 2, line: line({ end: true, rows: 3 }) },
      0,
      'The answer has 2 rows, and says that they are 3.',
    ],
    [
      'an end that counts fewer',
      { kind: 'line', rows: 2, line: line({ end: true, rows: 1 }) },
      0,
      'The answer has 2 rows, and says that they are 1.',
    ],
    [
      'an end that counts none',
      { kind: 'line', rows: 2, line: line({ end: true }) },
      0,
      'The answer has 2 rows, and says that they are undefined.',
    ],
    [
      'a row that was left out',
      { kind: 'gap', row: 4 },
      0,
      'The answer has 11 rows, and says that they are 12.',
    ],
    [
      'a status of a proxy',
      { kind: 'status', status: 502, body: '<html>' },
      0,
      'The gateway answered with status 502 and gave no reason.',
    ],
    [
      'a limit of requests',
      { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
      0,
      'The gateway answered with status 429 and gave no reason.',
    ],
    [
      'an error of the gateway before the rows',
      {
        kind: 'status',
        status: 503,
        body: line({ errors: [{ message: 'Too many.', extensions: { code: 'OVERLOADED' } }] }),
      },
      0,
      'Too many. (OVERLOADED)',
    ],
    ...['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'RATE_LIMITED', 'OVERLOADED'].map(
      (code): [string, Fault, number, string] => [
        `an error line with ${code}`,
        {
          kind: 'line',
          rows: 5,
          line: line({ error: { message: 'Later.', code }, after: cursorOf(4), rows: 5 }),
        },
        5,
        `Later. (${code})`,
      ],
    ),
  ])('%s', async (_what, fault, kept, reason) => {
    const { text, retries, starts } = await exportWith([fault]);
    expect(text).toBe(ndjsonOf(rows));
    expect(retries).toEqual([reason instanceof RegExp ? expect.stringMatching(reason) : reason]);
    // What has arrived when a connection is reset may be thrown away unread, and is asked for again.
    if (kept !== undefined) expect(starts).toEqual([null, kept === 0 ? null : cursorOf(kept - 1)]);
  });

  test('any faults one after the other', async () => {
    const fault = fc.oneof(
      fc.constant<Fault>({ kind: 'reset' }),
      fc.record({ kind: fc.constant('cut' as const), bytes: fc.nat(1_500), isClean: fc.boolean() }),
      fc.record({ kind: fc.constant('gap' as const), row: fc.nat(3) }),
      fc.constantFrom<Fault>({ kind: 'status', status: 503 }, { kind: 'line', rows: 2, line: '{' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { maxLength: 7 }), async (faults) => {
        expect((await exportWith(faults)).text).toBe(ndjsonOf(rows));
      }),
      { numRuns: casesOf({ short: 5, long: 25 }) },
    );
  });
});

describe('the number of rows that the document asks for', () => {
  test('holds for all requests together', async () => {
    const { text, starts } = await exportWith([{ kind: 'line', rows: 3, line: '{' }], { limit: 5 });
    expect(text).toBe(ndjsonOf(rows.slice(0, 5)));
    expect(starts).toEqual([null, cursorOf(2)]);
  });

  test('is not waited for behind the last of them', async () => {
    const { text } = await exportWith([{ kind: 'stall', rows: 5 }], { limit: 5 });
    expect(text).toBe(ndjsonOf(rows.slice(0, 5)));
  });
});

describe('an export ends', () => {
  async function failureOf(faults: readonly Fault[]) {
    const gateway = await startFakeGateway(rows, faults);
    const path = join(makeFolder(), 'rows.ndjson');
    const output = await openPart(path);
    const message = await copyFrom(gateway, output).then(
      () => 'none',
      (error) => error.message,
    );
    await output.keep();
    return { message, requests: gateway.requests.length, rows: output.rows, path };
  }

  test.each<[string, Fault, string, number]>([
    ...['UNAUTHENTICATED', 'BAD_USER_INPUT', 'LIST_TOO_LONG', 'UPSTREAM_INVALID_RESPONSE'].map(
      (code): [string, Fault, string, number] => [
        `an error line with ${code}`,
        {
          kind: 'line',
          rows: 3,
          line: line({ error: { message: 'No.', code }, after: cursorOf(2), rows: 3 }),
        },
        `No. (${code})`,
        3,
      ],
    ),
    [
      'an error line without a code',
      { kind: 'line', rows: 1, line: line({ error: {}, rows: 1 }) },
      'The gateway gave no reason.',
      1,
    ],
    [
      'an error of the gateway, whatever its status',
      {
        kind: 'status',
        status: 502,
        body: line({ errors: [{ message: 'No.', extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }] }),
      },
      'No. (UPSTREAM_INVALID_RESPONSE)',
      0,
    ],
    [
      'a status',
      { kind: 'status', status: 404 },
      'The gateway answered with status 404 and gave no reason.',
      0,
    ],
    [
      'a page of something else',
      { kind: 'status', status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
      'This is not the endpoint of a gateway that exports: it answered with text/html.',
      0,
    ],
    [
      'a redirect',
      { kind: 'status', status: 301, headers: { location: 'https://gateway.example/graphql' } },
      'The address redirects to https://gateway.example/graphql: give that one as --url.',
      0,
    ],
    [
      'a longer wait than anybody has patience for',
      { kind: 'status', status: 429, headers: { 'retry-after': '3600' } },
      'The gateway answered with status 429 and gave no reason.',
      0,
    ],
  ])('at once with %s', async (_what, fault, message, kept) => {
    expect(await failureOf([fault])).toMatchObject({ message, requests: 1, rows: kept });
  });

  test('when eight attempts in a row bring nothing', async () => {
    const cut: Fault = { kind: 'cut', bytes: firstRow * 2, isClean: true };
    const faults = [cut, ...Array.from({ length: 20 }, (): Fault => ({ kind: 'status', status: 503 }))];
    expect(await failureOf(faults)).toMatchObject({ requests: 8, rows: 1 });
  });

  test('when eight attempts in a row bring the same row, which is written once', async () => {
    const repeated = line({ ...rows[0], _cursor: cursorOf(0) });
    const faults = Array.from({ length: 20 }, (): Fault => ({ kind: 'line', rows: 0, line: repeated }));
    expect(await failureOf(faults)).toMatchObject({ requests: 8, rows: 1 });
  });

  test('never for the number of attempts alone', async () => {
    const faults = rows.map((): Fault => ({ kind: 'line', rows: 1, line: '{' }));
    const { text, starts } = await exportWith(faults);
    expect(text).toBe(ndjsonOf(rows));
    expect(starts.length).toBeGreaterThan(8);
  });

  test('without a file where no row has come', async () => {
    const { path } = await failureOf([{ kind: 'status', status: 401 }]);
    expect(existsSync(`${path}.part`)).toBe(false);
  });
});

describe('before another attempt it waits', () => {
  /** How long it would wait after this fault; the wait itself is interrupted. */
  async function waitAfter(fault: Fault): Promise<number> {
    const gateway = await startFakeGateway(rows, [fault]);
    const interruption = new AbortController();
    const output = await openPart(join(makeFolder(), 'rows.ndjson'));
    let wait = 0;
    const copying = copyFrom(gateway, output, {
      signal: interruption.signal,
      onRetry(_failure, waitMs) {
        wait = waitMs;
        interruption.abort();
      },
    });
    await expect(copying).rejects.toThrow('aborted');
    await output.keep();
    expect(gateway.requests).toHaveLength(1);
    return wait;
  }

  const soon = new Date(Date.now() + 60_000).toUTCString();
  const error = { message: 'Later.', code: 'RATE_LIMITED', retryAfter: 45 };

  test.each<[string, Fault, number]>([
    ['seconds', { kind: 'status', status: 429, headers: { 'retry-after': '30' } }, 30_000],
    ['until a moment', { kind: 'status', status: 503, headers: { 'retry-after': soon } }, 1_000],
    [
      'as the error says',
      { kind: 'status', status: 429, body: line({ errors: [{ message: 'Later.', extensions: error }] }) },
      45_000,
    ],
    [
      'as the last line says',
      { kind: 'line', rows: 2, line: line({ error, after: cursorOf(1), rows: 2 }) },
      45_000,
    ],
  ])('%s', async (_what, fault, least) => {
    expect(await waitAfter(fault)).toBeGreaterThanOrEqual(least);
  });
});
