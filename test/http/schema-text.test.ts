import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSchemaText } from '../../src/pages/static-page.ts';
import { schema } from '../../src/schema/index.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = await useGateway({ handler: { routes: [createSchemaText(schema)] } });
const file = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

function get(
  headers: Record<string, string> = {},
  method = 'GET',
  path = '/schema.graphql',
): Promise<Response> {
  return fetch(new URL(path, gateway.url), {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
  });
}

describe('GET /schema.graphql', () => {
  test('gives the schema as the repository has it', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toBe(file);
    expect(gateway.calls()).toEqual([]);
  });

  test('is not sent again to a client that has it', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get({ 'if-none-match': known });
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(await response.text()).toBe('');
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('answers HEAD with the headers alone', async () => {
    const response = await get({}, 'HEAD');
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(file)));
    expect(await response.text()).toBe('');
  });

  test.each([
    ['POST', '/schema.graphql', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/schema.graphql/', 404, 'NOT_FOUND'],
    ['GET', '/schema', 404, 'NOT_FOUND'],
  ])('refuses %s %s with %i', async (method, path, status, code) => {
    const response = await get({}, method, path);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(`"code":"${code}"`);
  });
});
