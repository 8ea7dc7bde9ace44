import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BEARER, freshGateway, type TestGateway } from '../support/gateway.ts';
import type { Fault } from '../support/rest-service.mjs';
import { casesOf } from '../support/search.ts';
import { openConnection } from '../support/sockets.ts';
import { DEBTORS, fetchExport, linesIn, manyDebtors } from './support.ts';

const ROWS = 1_250;
const data = () => ({ rest: { data: manyDebtors(ROWS) } });
const WITH_CURSOR = { options: { cursor: '1' } };

function failPage(gateway: TestGateway, page: number, fault: Fault): void {
  let calls = 0;
  gateway.rest.misbehave({
    kind: 'rewrite',
    times: page,
    rewrite(body) {
      calls += 1;
      if (calls === page) gateway.rest.misbehave(fault);
      return body;
    },
  });
}

/** Reads what comes, also where the connection breaks. */
async function readAll(response: Response): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let isWhole = true;
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk);
  } catch {
    isWhole = false;
  }
  return { text: Buffer.concat(chunks).toString(), isWhole };
}

describe('an export whose list fails in the middle', () => {
  const refused: Fault = { kind: 'status', status: 401, times: 10 };

  test('ends an NDJSON file with the error and a cursor to continue from', async () => {
    const gateway = await freshGateway(data());
    failPage(gateway, 1, refused);
    const { text, isWhole } = await readAll(await fetchExport(gateway, 'ndjson', DEBTORS));
    const lines = linesIn(text);
    const last = lines.pop();
    expect(isWhole).toBe(true);
    expect(last).toEqual({
      error: expect.objectContaining({ code: 'UNAUTHENTICATED', message: expect.any(String) }),
      after: expect.any(String),
      rows: 500,
    });
    expect(lines).toHaveLength(500);
    gateway.rest.behave();
    const rest = await fetchExport(gateway, 'ndjson', DEBTORS, { options: { after: String(last?.after) } });
    const more = linesIn(await rest.text());
    expect(more.pop()).toEqual({ end: true, rows: ROWS - 500 });
    expect(new Set([...lines, ...more].map(({ internalId }) => internalId)).size).toBe(ROWS);
  });

  test.each(['identity', 'gzip'])('as CSV breaks the connection (%s)', async (encoding) => {
    const gateway = await freshGateway(data());
    failPage(gateway, 2, refused);
    const headers = { ...BEARER, 'accept-encoding': encoding };
    const response = await fetchExport(gateway, 'csv', DEBTORS, { headers });
    expect(response.status).toBe(200);
    expect((await readAll(response)).isWhole).toBe(false);
  });

  test('as CSV resets an HTTP/1.0 connection, since its normal end would mean a complete file', async () => {
    const gateway = await freshGateway(data());
    failPage(gateway, 2, refused);
    const { socket } = await openConnection(gateway.url);
    const failure = new Promise((resolve) => socket.once('error', resolve).once('end', resolve));
    const path = `/graphql.csv?query=${encodeURIComponent(DEBTORS)}`;
    socket.write(`GET ${path} HTTP/1.0\r\nAuthorization: ${BEARER.authorization}\r\n\r\n`);
    expect(await failure).toMatchObject({ code: 'ECONNRESET' });
  });

  test('ends before a row that has an invalid value', async () => {
    const gateway = await freshGateway(data());
    Object.assign(gateway.rest.data.debtors[703] ?? {}, { name: 7 });
    const { text } = await readAll(await fetchExport(gateway, 'ndjson', DEBTORS, WITH_CURSOR));
    const lines = linesIn(text);
    const last = lines.pop();
    expect(lines).toHaveLength(703);
    expect(last).toMatchObject({
      error: { code: 'UPSTREAM_INVALID_RESPONSE', column: 'name' },
      after: lines.at(-1)?._cursor,
      rows: 703,
    });
  });
});

const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 500, times: 3 },
  { kind: 'status', status: 503, times: 3 },
  { kind: 'status', status: 429, headers: { 'retry-after': '30' }, times: 3 },
  { kind: 'reset', times: 3 },
  { kind: 'truncate', times: 3 },
  { kind: 'hang', times: 3 },
  { kind: 'body', body: '{"data": [', times: 3 },
  { kind: 'body', body: '{"data": 7}', times: 1 },
  { kind: 'body', body: '{"data": [{"name": "no id"}], "pagination": {"cursor": "7"}}', times: 1 },
];

test('an export that fails and is resumed until it is complete contains each row once', async () => {
  // Pages of 100 rows.
  const gateway = await freshGateway({
    rest: { data: manyDebtors(450) },
    gateway: { restTimeoutMs: 60, maxFirst: 100 },
  });
  const ids = gateway.rest.data.debtors.map(({ id }) => id);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('csv', 'ndjson'),
      fc.array(fc.record({ page: fc.integer({ min: 1, max: 3 }), fault: fc.constantFrom(...FAULTS) }), {
        minLength: 1,
        maxLength: 3,
      }),
      async (format, faults) => {
        const rows: string[] = [];
        let after = '';
        let isDone = false;
        for (let attempt = 0; attempt < 40 && !isDone; attempt += 1) {
          gateway.rest.behave();
          const planned = faults[attempt];
          if (planned) failPage(gateway, planned.page, planned.fault);
          const response = await fetchExport(gateway, format, DEBTORS, { options: { cursor: '1', after } });
          const { text, isWhole } = await readAll(response);
          if (response.status !== 200) continue;
          const read = format === 'csv' ? completeRows(text) : linesIn(text);
          const last = format === 'csv' ? undefined : read.pop();
          for (const row of read) {
            rows.push(String(row.internalId));
            after = String(row._cursor);
          }
          isDone = format === 'csv' ? isWhole : last?.end === true;
          if (last?.error) expect(last.after).toBe(after === '' ? null : after);
        }
        expect(rows).toEqual(ids);
      },
    ),
    { numRuns: casesOf({ short: 10, long: 50 }) },
  );
});

/** Reads CSV that breaks off: the last line may be incomplete. */
function completeRows(csv: string): Record<string, unknown>[] {
  return parse(csv.slice(0, csv.lastIndexOf('\r\n') + 2), { columns: true });
}
