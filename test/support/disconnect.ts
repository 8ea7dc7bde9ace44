import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { postTo, type TestGateway } from './gateway.ts';

/** Posts an operation, and disconnects once the REST service has been called and `meanwhile` is over. */
export async function disconnectDuring(
  gateway: TestGateway,
  operation: { readonly query: string; readonly variables?: object },
  headers: Readonly<Record<string, string>> = {},
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
  const before = gateway.rest.calls.length;
  const controller = new AbortController();
  const ended = postTo(gateway.url, operation, headers, controller).then(
    () => 'answered',
    () => 'disconnected',
  );
  await eventually(() => expect(gateway.rest.calls.length).toBeGreaterThan(before));
  await meanwhile();
  controller.abort();
  expect(await ended).toBe('disconnected');
}
