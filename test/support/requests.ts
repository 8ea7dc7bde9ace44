import { expect } from 'vitest';
import { times } from './times.ts';

/** Sends an operation, and gives the status of its answer. */
export async function post(url: string, query: string, token?: string, variables?: object): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  await response.text();
  return response.status;
}

/** Sends requests, sixteen at a time, and expects an answer to each. */
export async function sendAll(count: number, send: (index: number) => Promise<number>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      expect(await send(next)).toBeLessThan(500);
    }
  };
  await Promise.all(times(16, worker));
}
