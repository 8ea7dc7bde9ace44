import { describe, expect, test } from 'vitest';
import { BEARER, freshGateway, type TestGateway } from '../support/gateway.ts';
import type { Fault } from '../support/rest-service.mjs';
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

  test.each(['identity', 'gzip'])('as CSV breaks its connection (%s)', async (encoding) => {
    const gateway = await freshGateway(data());
    failPage(gateway, 2, refused);
    const headers = { ...BEARER, 'accept-encoding': encoding };
    const response = await fetchExport(gateway, 'csv', DEBTORS, { headers });
    expect(response.status).toBe(200);
    expect((await readAll(response)).isWhole).toBe(false);
  });

  test('resets an HTTP/1.0 connection, whose end would be that of the CSV file', async () => {
    const gateway = await freshGateway(data());
    failPage(gateway, 2, refused);
    const { socket } = await openConnection(gateway.url);
    const failure = new Promise((resolve) => socket.once('error', resolve).once('end', resolve));
    const path = `/graphql.csv?query=${encodeURIComponent(DEBTORS)}`;
    socket.write(`GET ${path} HTTP/1.0\r\nAuthorization: ${BEARER.authorization}\r\n\r\n`);
    expect(await failure).toMatchObject({ code: 'ECONNRESET' });
  });

  test('ends before a row whose value fails', async () => {
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
