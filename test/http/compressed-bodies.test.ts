import { expect, test } from 'vitest';
import { type CachedResponse, cacheResponse } from '../../src/gateway/plugins/use-response-cache.ts';
import { CompressedBodies } from '../../src/http/compression.ts';

test('a body is compressed once for all requests that come meanwhile', async () => {
  const grown: number[] = [];
  const compressed = new CompressedBodies((bytes) => grown.push(bytes));
  let made = 0;
  const make = async () => {
    made += 1;
    return Buffer.from('packed');
  };
  const found = await Promise.all([
    compressed.getOrCreate('br', make),
    compressed.getOrCreate('br', make),
    compressed.getOrCreate('gzip', make),
  ]);
  expect(found.map(String)).toEqual(['packed', 'packed', 'packed']);
  expect(made).toBe(2);
  expect(grown).toEqual([6, 6]);
});

test('a body that could not be compressed is tried again', async () => {
  const compressed = new CompressedBodies();
  expect(await compressed.getOrCreate('br', async () => undefined)).toBeUndefined();
  await expect(compressed.getOrCreate('br', () => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect(String(await compressed.getOrCreate('br', async () => Buffer.from('packed')))).toBe('packed');
});

test('the compressed bodies of a response count for what the cache holds', async () => {
  const sizes: number[] = [];
  const cached: CachedResponse[] = [];
  const slot = {
    entry: undefined,
    set(value: CachedResponse, bytes: number) {
      cached.push(value);
      sizes.push(bytes);
    },
  };
  const call = { method: 'GET', path: '/', parameters: {} } as const;
  const calls = [{ call, source: 'cache' as const, status: 200, milliseconds: 1, bytes: 1, rows: 1 }];
  const json = Buffer.from('{"__typename":"Query"}');
  cacheResponse(slot, { json, bounds: { estimatedCalls: 1, leastCalls: 1 } }, { calls, cachedUntil: 1 });
  await cached[0]?.compressed.getOrCreate('br', async () => Buffer.alloc(1_000));
  const [first = 0, second = 0] = sizes;
  expect(second - first).toBe(1_000);
});
