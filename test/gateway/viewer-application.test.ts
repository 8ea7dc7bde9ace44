import { expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { BEARER, BOTH, freshGateway } from '../support/gateway.ts';

test('without an application, viewer says what to set, and takes the application that a caller brings', async () => {
  const gateway = await freshGateway({ withoutApplication: true });
  expect(await gateway.query('{ viewer { clientId } }', {}, BEARER)).toMatchObject({
    errors: [{ message: expect.stringContaining('REST_CLIENT_ID'), extensions: { code: 'NOT_CONFIGURED' } }],
  });
  expect(gateway.rest.calls).toEqual([]);
  expect(await gateway.query('{ viewer { clientId } }', {}, BOTH)).toMatchObject({
    data: { viewer: { clientId: demoCredentials.application.clientId } },
  });
  expect(gateway.rest.calls).toHaveLength(1);
});
