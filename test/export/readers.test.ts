import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER, freshGateway, type TestOptions } from '../support/gateway.ts';
import { cut, openConnection } from '../support/sockets.ts';
import { times } from '../support/times.ts';
import { DEBTORS, fetchExport, linesIn, manyDebtors } from './support.ts';

/** Rows of some kilobytes: a few pages are more than any buffer of the system holds. */
const WIDE = `{ debtors(administrationId: "${ADMINISTRATION}") { nodes { ${times(10, (index) => `a${index}: name`).join(' ')} } } }`;
const LONG_NAME = 'x'.repeat(400);
const PAGES = 8;
const PLAIN = { headers: { ...BEARER, 'accept-encoding': 'identity' } };

const over = (rows: number, options: TestOptions = {}) =>
  freshGateway({ ...options, rest: { data: manyDebtors(rows) } });

const overWide = (options: TestOptions = {}) => {
  const data = manyDebtors(PAGES * 500);
  for (const debtor of data.debtors) Object.assign(debtor, { name: LONG_NAME });
  return freshGateway({ ...options, rest: { data } });
};

async function stall(url: string) {
  const { socket } = await openConnection(url);
  const path = `/graphql.csv?query=${encodeURIComponent(WIDE)}`;
  socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${BEARER.authorization}\r\n\r\n`);
  return socket;
}

async function settled(count: () => number): Promise<number> {
  let last = -1;
  for (let same = 0; same < 10; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    same = count() === last ? same + 1 : 0;
    last = count();
  }
  return last;
}

describe('an export', () => {
  test('makes no calls while its reader pauses, and continues when the reader does', async () => {
    const gateway = await overWide();
    const response = await fetchExport(gateway, 'ndjson', WIDE, PLAIN);
    await eventually(() => expect(gateway.rest.calls.length).toBeGreaterThan(1));
    expect(await settled(() => gateway.rest.calls.length)).toBeLessThan(PAGES);
    const lines = linesIn(await response.text());
    expect(lines.at(-1)).toEqual({ end: true, rows: PAGES * 500 });
    expect(gateway.rest.calls).toHaveLength(PAGES);
  });

  test('sends the rows that were read, even compressed, while the service hangs', async () => {
    const gateway = await over(1_500);
    let pages = 0;
    gateway.rest.misbehave({
      kind: 'rewrite',
      times: 2,
      rewrite(body) {
        pages += 1;
        if (pages === 2) gateway.rest.misbehave({ kind: 'hang' });
        return body;
      },
    });
    const leaving = new AbortController();
    const { signal } = leaving;
    const headers = { ...BEARER, 'accept-encoding': 'gzip' };
    const response = await fetchExport(gateway, 'ndjson', DEBTORS, { headers, signal });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.split('\n').length > 1_000) break;
    }
    leaving.abort();
    // It has not waited for the end, either.
    expect(text).not.toContain('"error"');
    expect(text.split('\n').length).toBeGreaterThan(1_000);
  });

  test('disconnects a reader that stops, and frees its slot', async () => {
    const gateway = await overWide({
      gateway: { maxExports: 1 },
      listen: { stalledMs: 100 },
    });
    await cut(await stall(gateway.url));
    expect(gateway.rest.calls.length).toBeLessThan(PAGES);
    await eventually(async () =>
      expect((await fetchExport(gateway, 'csv', DEBTORS.replace('1001"', '1001", first: 1'))).status).toBe(
        200,
      ),
    );
  });
});

describe('exports', () => {
  const HANGING = { kind: 'hang', match: { path: '/v1/debtors' }, times: 9 } as const;

  test('beyond MAX_EXPORTS wait and are then rejected, while queries continue', async () => {
    const gateway = await over(100, {
      gateway: { maxExports: 1, maxOperations: 1, exportTimeoutMs: 2_000 },
    });
    gateway.rest.misbehave(HANGING);
    const controller = new AbortController();
    const first = fetchExport(gateway, 'csv', DEBTORS, { signal: controller.signal });
    first.catch(() => {});
    await eventually(() => expect(gateway.rest.calls).toHaveLength(1));
    const [refused] = await Promise.all([
      fetchExport(gateway, 'csv', DEBTORS),
      fetchExport(gateway, 'csv', DEBTORS),
    ]);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      503,
      expect.stringMatching(/^([89]|1\d|2[0-3])$/),
    ]);
    expect(await refused.json()).toMatchObject({
      errors: [{ message: 'Too many exports are in flight.', extensions: { code: 'OVERLOADED' } }],
    });
    gateway.rest.behave();
    expect((await gateway.query(DEBTORS)).data).toHaveProperty('debtors.nodes.length', 100);
    controller.abort();
    expect((await fetchExport(gateway, 'csv', DEBTORS)).status).toBe(200);
  });
});
