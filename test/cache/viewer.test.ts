import { describe, expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { BASIC, useGateway } from '../support/gateway.ts';
import { cost, freshCallers, page, UNMARK } from './support.ts';

const gateway = await useGateway({
  gateway: { cacheTtlMs: 60_000, application: demoCredentials.clientCredentialsApplication },
});
const newCaller = await freshCallers(gateway);
const VIEWER = '{ viewer { clientId company { name } } }';
const INTROSPECT = { method: 'POST', path: '/oauth/introspect' };

describe('the viewer', () => {
  test('is introspected once while it is cached', async () => {
    const caller = newCaller();
    const first = await gateway.query(VIEWER, {}, caller);
    expect(first.errors).toBeUndefined();
    const again = await gateway.query(VIEWER, {}, caller);
    expect(again.data).toEqual(first.data);
    expect(again.extensions).toMatchObject(cost(1, 0));
  });

  test('is introspected once for two requests at the same time', async () => {
    const caller = newCaller();
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
    const first = gateway.query(VIEWER, {}, caller);
    await expect.poll(() => gateway.calls().length).toBe(1);
    const second = await gateway.query(VIEWER, {}, caller);
    expect(second.data).toEqual((await first).data);
    expect(gateway.calls()).toHaveLength(1);
  });

  test('is cached for each token and each application separately', async () => {
    const caller = newCaller();
    await gateway.query(VIEWER, {}, caller);
    await gateway.query(VIEWER, {}, newCaller());
    await gateway.query(VIEWER, {}, { ...caller, 'x-client-authorization': BASIC.authorization });
    expect(gateway.calls()).toHaveLength(3);
  });

  test('is not cached if the token is not active', async () => {
    const caller = newCaller();
    gateway.rest.misbehave({ kind: 'body', body: '{"active":false}', match: INTROSPECT });
    const refused = await gateway.query(VIEWER, {}, caller);
    expect(refused.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect((await gateway.query(VIEWER, {}, caller)).errors).toBeUndefined();
  });

  test.each([
    ['a write', async (caller: { authorization: string }) => gateway.query(UNMARK, {}, caller)],
    [
      'a 401 for the token',
      async (caller: { authorization: string }) => {
        gateway.rest.misbehave({ kind: 'status', status: 401, match: { method: 'GET' } });
        return gateway.query(page('name'), {}, caller);
      },
    ],
    [
      'a 401 for the application',
      async (_caller: { authorization: string }) => {
        gateway.rest.misbehave({ kind: 'status', status: 401, match: INTROSPECT });
        return gateway.query(VIEWER, {}, newCaller());
      },
    ],
  ])('is introspected again after %s', async (_what, forget) => {
    const caller = newCaller();
    await gateway.query(VIEWER, {}, caller);
    await forget(caller);
    gateway.rest.calls.length = 0;
    expect((await gateway.query(VIEWER, {}, caller)).extensions).toMatchObject(cost(0, 1));
    expect(gateway.calls()).toHaveLength(1);
  });
});
