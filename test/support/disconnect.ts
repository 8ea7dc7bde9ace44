import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { BEARER, type TestGateway } from './gateway.ts';

/** Posts an operation, and closes the connection once the REST service has been called and `meanwhile` is over. */
export async function disconnectDuring(
  gateway: TestGateway,
  operation: { readonly query: string; readonly variables?: object },
  headers: Readonly<Record<string, string>> = BEARER,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
  const before = gateway.rest.calls.length;
  const controller = new AbortController();
  const ended = fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(operation),
    signal: controller.signal,
  }).then(
    () => 'answered',
    () => 'disconnected',
  );
  await eventually(() => expect(gateway.rest.calls.length).toBeGreaterThan(before));
  await meanwhile();
  controller.abort();
  expect(await ended).toBe('disconnected');
}
