import type { Request, Response } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { formatAmount } from '../../examples/dashboard/src/money.ts';
import { describeInBrowser } from '../support/browser.ts';
import { ADMINISTRATION, BEARER, OTHER_BEARER, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changePage, changeRows } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { hold, SHOWN, tokenOf, useDashboard } from './dashboard-page.ts';

/** With a cache, which the page has to bypass: a refresh shows what the service has now. */
const gateway = await useGateway({ gateway: { cacheTtlMs: 600_000 } });
const { page, connect, summary, rows } = useDashboard(gateway);
const debtors = debtorsOf(gateway, ADMINISTRATION);
type Debtor = (typeof debtors)[number];

const OVERLAP_MS = 120_000;
/** The reader's clock is wrong by decades, which must not matter. It stands still unless a test moves it. */
const READERS_TIME = Date.UTC(2001, 0, 1);

const isRefresh = (request: Request) => request.postData()?.includes('updatedAfter":') ?? false;
const refreshes = () => gateway.calls().filter((call) => 'updated_after' in call);
/** What a refresh asks for that goes on from an answer. */
const overlapBefore = (answer: Response) =>
  new Date(Date.parse(present(answer.headers().date)) - OVERLAP_MS).toISOString();

/** Opens the list with one page of debtors, and gives the answer that brought them. */
async function open(): Promise<Response> {
  await page().clock.install({ time: READERS_TIME });
  await page().clock.pauseAt(READERS_TIME + 3_600_000);
  const answer = page().waitForResponse(
    (response) => !!response.request().postData()?.includes('"first":50'),
  );
  await connect();
  await summary('50 shown of');
  await summary('Asking every 30 s instead.');
  return answer;
}

/** Lets time pass until a refresh is sent, which may be a moment late: the page has to set its timer first. */
async function untilSent(milliseconds = 29_000): Promise<Request> {
  const sent: Request[] = [];
  page().on('request', (request) => isRefresh(request) && sent.push(request));
  await page().clock.runFor(milliseconds);
  const tick = async () => {
    await page().clock.runFor(1_000);
    return sent;
  };
  await expect.poll(tick, { timeout: 10_000 }).not.toEqual([]);
  return present(sent[0]);
}

/** Lets time pass until a refresh was answered, and shown. */
async function refresh(milliseconds?: number): Promise<Response> {
  const answer = present(await (await untilSent(milliseconds)).response());
  await answer.finished();
  // Whatever the page makes of the answer, it has done so when it gets this one.
  await page().evaluate('fetch("/")');
  return answer;
}

const pay = (debtor: Debtor, amount: string): Debtor => ({ ...debtor, book_open_amount: amount });
/** Replaces a record in the service's own list, as an update does. */
function update(debtor: Debtor): void {
  const { data } = gateway.rest;
  const index = data.debtors.findIndex(({ id }) => id === debtor.id);
  const before = present(data.debtors[index]);
  data.debtors[index] = { ...debtor, updated_at: new Date().toISOString() };
  onTestFinished(() => {
    data.debtors[index] = before;
  });
}
/** The next answer of the service is these rows. */
const answerWith = (...changed: readonly Debtor[]) => gateway.rest.misbehave(changeRows(() => changed));
const amountAt = async (index: number) => (await rows())[index]?.[3];
const numbers = async () => (await rows()).map(([number]) => number);
const numbersOf = (records: readonly Debtor[]) => records.map((debtor) => debtor.debtor_number);

describeInBrowser('the dashboard, every 30 s', () => {
  test('asks for what has changed, in one REST call, and shows it in its place', async () => {
    const read = await open();
    update(pay(present(debtors[1]), '7777.77'));

    await page().clock.runFor(29_000);
    expect(refreshes()).toEqual([]);
    const first = await refresh(0);
    await expect.poll(() => amountAt(1)).toBe(formatAmount('7777.77'));
    expect(await numbers()).toEqual(numbersOf(debtors.slice(0, 50)));
    const moment = await page().locator('footer time').getAttribute('datetime');
    expect(Date.parse(present(moment))).toBe(Date.parse(present(first.headers().date)));
    await refresh();
    const call = { call: 'GET /v1/debtors', administration_id: ADMINISTRATION, per_page: '500', only: SHOWN };
    expect(refreshes()).toEqual([
      { ...call, updated_after: overlapBefore(read) },
      { ...call, updated_after: overlapBefore(first) },
    ]);
  });

  test('goes on in the next refresh where more has changed than one call brings', async () => {
    const read = await open();
    const many = debtors.slice(0, 500);
    const cursor = present(many.at(-1)).id;
    gateway.rest.misbehave(changePage(() => ({ data: many, pagination: { cursor } })));
    const first = await refresh();
    await refresh();
    await refresh();
    const call = { call: 'GET /v1/debtors', administration_id: ADMINISTRATION, per_page: '500', only: SHOWN };
    expect(refreshes()).toEqual([
      { ...call, updated_after: overlapBefore(read) },
      { ...call, updated_after: overlapBefore(read), cursor },
      { ...call, updated_after: overlapBefore(first) },
    ]);
  });
});

describeInBrowser('a refresh', () => {
  test('that fails keeps the rows, says so, and is made up for by the next', async () => {
    const read = await open();
    gateway.rest.misbehave({ kind: 'body', body: 'nonsense' });
    await refresh();
    await page().getByRole('status').getByText('Not refreshed.').waitFor();
    expect(await rows()).toHaveLength(50);
    answerWith(pay(present(debtors[0]), '8.00'));
    await refresh();
    await expect.poll(() => amountAt(0)).toBe(formatAmount('8.00'));
    expect(await page().getByText('Not refreshed.').count()).toBe(0);
    const updated_after = overlapBefore(read);
    expect(refreshes()).toMatchObject([{ updated_after }, { updated_after }]);
  });

  test('that was sent with the former token shows nothing, and does not come again', async () => {
    await open();
    const former = present(debtors[0]);
    const { held, letGo } = hold();
    gateway.rest.misbehave({ kind: 'stale', until: held });
    await untilSent();
    await expect.poll(() => refreshes().length).toBe(1);
    await page().getByRole('button', { name: 'Use another token' }).click();
    await connect(tokenOf(OTHER_BEARER));
    await summary('50 shown of');
    letGo();
    await refresh();
    expect(await page().content()).not.toContain(former.name);
    const [first, second, ...others] = gateway.rest.calls.filter(({ query }) => 'updated_after' in query);
    expect(first).toMatchObject({ aborted: true, headers: BEARER });
    expect(second).toMatchObject({ headers: OTHER_BEARER });
    expect(others).toEqual([]);
  });
});
