import { describe, expect, test } from 'vitest';
import { ADMINISTRATION, BEARER, useGateway } from '../support/gateway.ts';
import { eventsIn, PARTS, partsIn, SSE } from './support.ts';

// With the cache, and without plugins: text is passed on as the service sent it.
const gateway = await useGateway({ gateway: { cacheTtlMs: 60_000 } });
const SMALL = `{ debtors(administrationId: "${ADMINISTRATION}", first: 3) { nodes { name postalAddress { city } } } }`;
/** Written in several pieces. */
const LARGE = `{ debtors(administrationId: "${ADMINISTRATION}", first: 900) { nodes { ${Array.from({ length: 20 }, (_, index) => `a${index}: name`).join(' ')} } } }`;

async function ask(query: string, headers: object): Promise<{ response: Response; text: string }> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...BEARER, ...headers },
    body: JSON.stringify({ query }),
  });
  return { response, text: await response.text() };
}

describe.each([
  ['a small result', SMALL],
  ['a large result', LARGE],
])('%s', (_what, query) => {
  test('is the same in each format, from the service and from the cache', async () => {
    const json = await ask(query, {});
    const { data } = JSON.parse(json.text);
    expect(json.text).toMatch(/[^\0-\x7F]/);
    for (const _time of ['from the service', 'from the cache']) {
      const sse = await ask(query, { ...SSE, 'accept-encoding': 'gzip' });
      expect(eventsIn(sse.text)).toMatchObject([{ event: 'next', data: { data } }, { event: 'complete' }]);
      expect(sse.response.headers.get('content-encoding')).toBeNull();
      expect(Number(sse.response.headers.get('content-length'))).toBe(Buffer.byteLength(sse.text));
      expect(partsIn((await ask(query, PARTS)).text)).toMatchObject([{ payload: { data } }]);
    }
    expect(gateway.calls().length).toBeLessThan(5);
  });
});
