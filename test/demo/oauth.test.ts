import { beforeEach, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { startRest } from '../support/resources.ts';
import type { DemoService } from '../support/rest-service.mjs';
import { asApplication, basic, bearer, call, get, sendJson } from './support.ts';

const START = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const { accessToken, refreshToken } = demoCredentials;
const asRestricted = basic(demoCredentials.restrictedApplication);

let now: number;
let service: DemoService;
beforeEach(async () => {
  now = START;
  service = await startRest({ now: () => now });
});

const listDebtors = (headers: Record<string, string>) =>
  get(service, '/v1/debtors', { administration_id: '1001', per_page: '1' }, headers);
const requestToken = (body: unknown, headers = asApplication) =>
  sendJson(service, 'POST /oauth/token', body, headers);
const refresh = (refresh_token: unknown) => requestToken({ grant_type: 'refresh_token', refresh_token });
const introspect = (token: unknown, headers: Record<string, string> = asApplication) =>
  sendJson(service, 'POST /oauth/introspect', { token }, headers);

it('an access token expires after two hours, and its refresh token replaces it, also by a form', async () => {
  now = START + 2 * HOUR - 1;
  expect((await listDebtors(bearer(accessToken))).status).toBe(200);
  now += 1;
  expect((await listDebtors(bearer(accessToken))).status).toBe(401);
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const sent = { method: 'POST', headers: asApplication, body: form };
  const { body } = await call(service, '/oauth/token', sent);
  expect(body).toEqual({
    access_token: expect.any(String),
    created_at: now / 1000,
    expires_in: 7200,
    refresh_token: expect.any(String),
    scope: expect.stringMatching(/^\w+:\w+( \w+:\w+)+$/),
    token_type: 'Bearer',
  });
  expect((await listDebtors(bearer(String(body.access_token)))).status).toBe(200);
});

it('a refresh token works once, for 90 days, and only for its application', async () => {
  const elsewhere = { grant_type: 'refresh_token', refresh_token: refreshToken };
  expect((await requestToken(elsewhere, asRestricted)).body.code).toBe('invalid_grant');
  now = START + 90 * DAY - 1;
  const { status, body } = await refresh(refreshToken);
  expect(status).toBe(200);
  const again = await refresh(refreshToken);
  expect([again.status, again.body.code]).toEqual([400, 'invalid_grant']);
  now += 90 * DAY;
  expect((await refresh(body.refresh_token)).status).toBe(400);
});

it.each([
  [{}, 'bad_request'],
  [{ grant_type: 'password' }, 'unsupported_grant_type'],
  [{ grant_type: 'refresh_token' }, 'bad_request'],
  [{ grant_type: 'client_credentials' }, 'unauthorized_client'],
  [{ grant_type: 'refresh_token', refresh_token: 'x', scope: 'a' }, 'bad_request'],
])('a request for a token is rejected: %j', async (request, code) => {
  const { status, body } = await requestToken(request);
  expect([status, body.code]).toEqual([400, code]);
});

describe('introspection of a refresh token', () => {
  it('returns whether its access token is valid, and only `active: false` after its use', async () => {
    expect((await introspect(refreshToken)).body).toMatchObject({ active: true, exp: START / 1000 + 7200 });
    now = START + 2 * HOUR;
    expect((await introspect(refreshToken)).body).toMatchObject({ active: false, company: { id: '101' } });
    await refresh(refreshToken);
    expect((await introspect(refreshToken)).body).toEqual({ active: false });
  });
});
