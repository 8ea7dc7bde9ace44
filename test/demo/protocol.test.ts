import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { asApplication, asCompanyA, call, get, sendForm, sendJson } from './support.ts';

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service.close());

/** As fetch would tidy the path up first. */
function statusOfRawPath(method: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(service.url, { method, path, headers: asCompanyA }, (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode);
    });
    outgoing.on('error', reject).end();
  });
}

describe('refusals', () => {
  it.each(['/', '/v1', '/v1/debtors/', '/debtors', '/v1/tasks', '/v1/tasks//unmark_completed'])(
    'there is nothing at %s',
    async (path) => {
      const { status, body } = await call(service, path, { headers: asCompanyA });
      expect(status).toBe(404);
      expect(body).toEqual({ code: 'not_found', message: expect.any(String) });
    },
  );

  it('dots in a path lead nowhere else', async () => {
    expect(await statusOfRawPath('PATCH', '/v1/tasks/../messages')).toBe(404);
    expect(await statusOfRawPath('PATCH', '/v1/tasks/../../v1/messages/unmark_completed')).toBe(404);
    expect(await statusOfRawPath('PATCH', '/v1/tasks/%E0/unmark_completed')).toBe(400);
  });

  it('another method is told which one is allowed', async () => {
    const { status, headers, body } = await call(service, '/v1/debtors', {
      method: 'POST',
      headers: asCompanyA,
    });
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'GET', 'method_not_allowed']);
  });

  it('a repeated or badly encoded parameter is a mistake', async () => {
    for (const query of ['administration_id=1001&administration_id=1002', 'administration_id=1001&ids=%zz']) {
      expect((await call(service, `/v1/debtors?${query}`, { headers: asCompanyA })).status).toBe(400);
    }
  });

  it('an address that is too long has to be split', async () => {
    const ids = service.data.debtors.slice(0, 500).map((debtor) => debtor.id);
    const { status, body } = await get(service, '/v1/debtors', {
      administration_id: '1001',
      ids: ids.join(','),
    });
    expect([status, body.code]).toEqual([414, 'uri_too_long']);
  });

  it.each([
    ['malformed JSON', 'application/json', '{"token":', 400],
    ['JSON that is no object', 'application/json', '["token"]', 400],
    ['a form with a field twice', 'application/x-www-form-urlencoded', 'token=a&token=b', 400],
    ['plain text', 'text/plain', 'token', 415],
    ['JSON that is called a form', 'application/x-www-form-urlencoded', '{"token":"a"}', 400],
  ])('%s is answered with its status', async (_, contentType, body, status) => {
    const headers = { ...asApplication, 'content-type': contentType };
    expect((await call(service, '/oauth/introspect', { method: 'POST', headers, body })).status).toBe(status);
  });
});

describe('the log of calls', () => {
  it('shows queries, fields, forms and what was answered', async () => {
    service.calls.length = 0;
    const fields = { only: ['id', { postal_address: ['city'] }] };
    await get(service, '/v1/debtors', { administration_id: '1001', fields: JSON.stringify(fields) });
    await sendForm(service, 'PATCH', '/v1/tasks/nobody/unmark_completed', { fields: '{"only":["id"]}' });
    await sendJson(service, 'PATCH', '/v1/messages', { messages: 'none' });

    expect(service.calls).toMatchObject([
      { method: 'GET', path: '/v1/debtors', query: { administration_id: '1001' }, fields, status: 200 },
      {
        body: { fields: '{"only":["id"]}' },
        fields: { only: ['id'] },
        headers: { 'content-type': expect.stringContaining('application/x-www-form-urlencoded') },
        status: 404,
      },
      {
        body: { messages: 'none' },
        headers: { 'content-type': 'application/json' },
        status: 400,
        aborted: false,
      },
    ]);
    expect(service.calls[0]).toMatchObject({ body: undefined, headers: asCompanyA, aborted: false });
    expect(service.calls[0]?.url).toMatch(/^\/v1\/debtors\?administration_id=1001&fields=%7B%22only/);
  });
});
