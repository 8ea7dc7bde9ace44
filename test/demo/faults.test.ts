import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { asApplication, asCompanyA, call, get, sendForm } from './support.ts';

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService();
});
afterEach(() => {
  service.behave();
  service.calls.length = 0;
});
afterAll(() => service.close());

const listCompanies = () => get(service, '/v1/companies', {}, asApplication);
const fetchCompanies = (milliseconds: number) =>
  fetch(`${service.url}/v1/companies`, { headers: asApplication, signal: AbortSignal.timeout(milliseconds) });
const lastCall = () => service.calls.at(-1);

it('goes wrong as often as it was told, and then behaves', async () => {
  service.misbehave({ kind: 'status', status: 503, headers: { 'retry-after': '1' }, times: 2 });
  const replies = [await listCompanies(), await listCompanies(), await listCompanies()];
  expect(replies.map(({ status }) => status)).toEqual([503, 503, 200]);
  expect(replies[0]?.headers.get('retry-after')).toBe('1');
  expect(replies[0]?.body).toEqual({ code: 'fault', message: expect.any(String) });
  expect(service.calls.map(({ status }) => status)).toEqual([503, 503, 200]);
});

it('goes wrong only for the calls that match', async () => {
  service.misbehave({
    kind: 'status',
    status: 500,
    match: { method: 'GET', path: /debtors$/ },
    times: Infinity,
  });
  expect((await listCompanies()).status).toBe(200);
  expect((await get(service, '/v1/debtors')).status).toBe(500);
  expect((await call(service, '/v1/debtors', { method: 'POST' })).status).toBe(405);
  service.behave();
  expect((await get(service, '/v1/debtors')).status).toBe(400);
});

it('answers late', async () => {
  service.misbehave({ kind: 'delay', milliseconds: 60_000 });
  await expect(fetchCompanies(30)).rejects.toThrow();
  service.misbehave({ kind: 'delay', milliseconds: 20 });
  expect((await listCompanies()).status).toBe(200);
});

it('sees that a client has disconnected', async () => {
  service.misbehave({ kind: 'hang' });
  await expect(fetchCompanies(30)).rejects.toThrow();
  await expect.poll(() => lastCall()).toMatchObject({ status: 0, aborted: true });
});

it('resets the connection without doing the work', async () => {
  const task = service.data.tasks.find((candidate) => candidate.completed_at);
  service.misbehave({ kind: 'reset' });
  await expect(sendForm(service, 'PATCH', `/v1/tasks/${task?.id}/unmark_completed`, {})).rejects.toThrow();
  expect(task?.completed_at).toEqual(expect.any(String));
  await expect.poll(() => lastCall()).toMatchObject({ status: 0, aborted: false });
});

it('breaks off in the middle of an answer', async () => {
  service.misbehave({ kind: 'truncate' });
  const response = await fetchCompanies(5000);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  await expect.poll(() => lastCall()).toMatchObject({ status: 0, aborted: false });
});

it('sends an answer that never ends', async () => {
  service.misbehave({ kind: 'endless' });
  const response = await fetchCompanies(5000);
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > 200_000) break;
  }
  expect(size).toBeGreaterThan(200_000);
  await expect.poll(() => lastCall()).toMatchObject({ status: 0, aborted: true });
});

const GZIP = { 'content-encoding': 'gzip' };

it('answers with another body, compressed or not', async () => {
  service.misbehave({ kind: 'body', body: '<html>', contentType: 'text/html' });
  service.misbehave({ kind: 'body', body: gzipSync('{"data":[]}'), headers: GZIP });
  const page = await fetchCompanies(5000);
  expect([page.headers.get('content-type'), await page.text()]).toEqual(['text/html', '<html>']);
  const compressed = await listCompanies();
  expect([compressed.headers.get('content-encoding'), compressed.body]).toEqual(['gzip', { data: [] }]);
});

it('lets a test change the right answer, but not the data', async () => {
  service.misbehave({
    kind: 'rewrite',
    rewrite: (body) => ({ ...Object(body), pagination: { cursor: '101' } }),
  });
  expect((await listCompanies()).body).toEqual({
    data: service.data.companies,
    pagination: { cursor: '101' },
  });
});

it('says so when it is itself at fault', async () => {
  service.misbehave({
    kind: 'rewrite',
    rewrite: () => {
      throw new Error('broken rewrite');
    },
  });
  const { status, body } = await listCompanies();
  expect([status, body.code]).toEqual([500, 'internal_error']);
});

it('closes at once, though calls are under way', async () => {
  const other = await startDemoService();
  other.misbehave({ kind: 'hang' });
  const waiting = expect(fetch(`${other.url}/v1/debtors`, { headers: asCompanyA })).rejects.toThrow();
  await expect.poll(() => other.calls.length).toBe(1);
  await other.close();
  await waiting;
});
