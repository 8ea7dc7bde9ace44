import type { Request, Response } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { formatAmount } from '../../examples/dashboard/src/money.ts';
import { describeInBrowser } from '../support/browser.ts';
import { ADMINISTRATION, BEARER, OTHER_BEARER, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changePage, changeRows } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { hold, pagesIn, SHOWN, tokenOf, useDashboard } from './dashboard-page.ts';

/** With a cache, which the page has to bypass: a refresh shows what the service has now. */
const gateway = await useGateway({ gateway: { cacheTtlMs: 600_000 } });
const { page, connect, summary, search, leave, renewal, renew, ...reading } = useDashboard(gateway);
const { scrollTo, scrollToEnd, scrolledTo, rows } = reading;
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

/** Shows or hides the tab. */
const setVisibility = (state: 'visible' | 'hidden') =>
  page().evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);

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

  test('reads the totals anew where something has changed, and only there', async () => {
    await open();
    const countings = () =>
      gateway.calls().filter(({ per_page, cursor }) => per_page === '500' && !cursor).length;
    const before = countings() - refreshes().length;
    answerWith(pay(present(debtors[0]), '1.00'));
    await refresh();
    // The changes of a moment are counted together.
    await page().clock.runFor(3_000);
    await expect.poll(() => countings() - refreshes().length).toBe(before + 1);
    answerWith(pay(present(debtors[0]), '1.00'));
    await refresh();
    await refresh();
    expect(countings() - refreshes().length).toBe(before + 1);
  });

  test('keeps order and place, whatever order rows come in and wherever they have moved', async () => {
    await open();
    await scrollToEnd();
    await summary('100 shown of');
    await scrollTo(1234);
    await expect.poll(scrolledTo).toBe(1234);
    const [second, late, unread] = [debtors[1], debtors[90], debtors[120]].map(present);
    answerWith(pay(present(unread), '3.00'), pay(present(late), '2.00'), pay(present(second), '1.00'));
    await refresh();
    await expect.poll(() => amountAt(1)).toBe(formatAmount('1.00'));
    expect(await amountAt(90)).toBe(formatAmount('2.00'));
    expect(await numbers()).toEqual(numbersOf(debtors.slice(0, 100)));
    expect(await scrolledTo()).toBe(1234);

    // The second row comes again on the third page.
    gateway.rest.misbehave(changeRows((page) => [pay(present(second), '4.00'), ...page.slice(1)]));
    await scrollToEnd();
    await summary('149 shown of');
    await expect.poll(() => amountAt(1)).toBe(formatAmount('4.00'));
    expect((await numbers()).slice(0, 100)).toEqual(numbersOf(debtors.slice(0, 100)));
  });

  test('shows what is newer where a page that was asked for earlier comes later', async () => {
    await open();
    const debtor = present(debtors[60]);
    const { held, letGo } = hold();
    gateway.rest.misbehave({ kind: 'stale', until: held });
    await scrollToEnd();
    await expect.poll(() => pagesIn(gateway.calls()).length).toBe(2);
    answerWith(pay(debtor, '5.00'));
    await refresh();
    expect(await rows()).toHaveLength(50);
    letGo();
    await summary('100 shown of');
    await expect.poll(() => amountAt(60)).toBe(formatAmount('5.00'));
  });

  test('brings a search and the list behind it up to date in the same call', async () => {
    await open();
    await scrollTo(500);
    await expect.poll(scrolledTo).toBe(500);
    const [found, other] = [present(debtors[2]), present(debtors[3])];
    await search(found.debtor_number);
    await page().clock.runFor(1_000);
    await summary('1 shown of 1 debtor,');
    update(pay(found, '6.00'));
    update(pay(other, '7.00'));
    await refresh();
    await expect.poll(rows).toEqual([expect.arrayContaining([found.name, formatAmount('6.00')])]);
    // The totals, and what the search finds, are read anew, page by page.
    await page().clock.runFor(3_000);
    let count = -1;
    while (count !== gateway.rest.calls.length) {
      count = gateway.rest.calls.length;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const calls = gateway.calls();
    await search('');
    await page().clock.runFor(1_000);
    await summary('50 shown of');
    expect(await amountAt(2)).toBe(formatAmount('6.00'));
    expect(await amountAt(3)).toBe(formatAmount('7.00'));
    expect(await scrolledTo()).toBe(500);
    expect(gateway.calls()).toEqual(calls);
    expect(refreshes()).toHaveLength(1);
  });

  test('rests while nobody sees the page, and catches up when somebody does', async () => {
    await open();
    await setVisibility('hidden');
    await page().clock.runFor(300_000);
    await setVisibility('visible');
    await refresh(0);
    expect(refreshes()).toHaveLength(1);
    // Not due again yet.
    await setVisibility('hidden');
    await setVisibility('visible');
    await page().clock.runFor(20_000);
    expect(refreshes()).toHaveLength(1);
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

  test('cannot see that a debtor was deleted, which stays until the list is reloaded', async () => {
    await open();
    const index = gateway.rest.data.debtors.findIndex(({ id }) => id === debtors[0]?.id);
    const deleted = gateway.rest.data.debtors.splice(index, 1);
    onTestFinished(() => {
      gateway.rest.data.debtors.splice(index, 0, ...deleted);
    });
    await refresh();
    expect(await numbers()).toEqual(numbersOf(debtors.slice(0, 50)));
    await page().getByText('deleted debtors stay until you reload').waitFor();
    await page().getByRole('button', { name: 'Reload' }).press('Enter');
    await expect.poll(numbers).toEqual(numbersOf(debtors.slice(1, 51)));
    expect(await page().evaluate('document.activeElement.textContent')).toBe('Reload');
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

  test('that brings broken rows asks for them again', async () => {
    const read = await open();
    answerWith({ ...present(debtors[0]), name: JSON.parse('null') }, pay(present(debtors[1]), '9.00'));
    await refresh();
    await page().getByRole('status').getByText('Not refreshed.').waitFor();
    await expect.poll(() => amountAt(1)).toBe(formatAmount('9.00'));
    await refresh();
    expect(refreshes().at(-1)).toMatchObject({ updated_after: overlapBefore(read) });
  });

  test('that is refused is the last, and asks for another token', async () => {
    await open();
    gateway.rest.misbehave({ kind: 'status', status: 401 });
    await refresh();
    await page().getByRole('status').getByText('Not refreshed.').waitFor();
    await page().clock.runFor(300_000);
    expect(refreshes()).toHaveLength(1);
    expect(await rows()).toHaveLength(50);
    await leave();
    await page().getByLabel('Access token').waitFor();
    expect(await rows()).toEqual([]);
  });

  test('and a page that are both refused ask for one token, and both go on with it', async () => {
    await open();
    gateway.rest.misbehave({ kind: 'status', status: 401, times: 2 });
    await refresh();
    await page().getByText('Not refreshed.').waitFor();
    expect(await renewal().count()).toBe(1);
    await scrollToEnd();
    await page().getByRole('alert').waitFor();
    expect(await renewal().count()).toBe(1);
    const refreshed = refreshes().length;
    await renew();
    await summary('100 shown of');
    await expect.poll(() => refreshes().length).toBe(refreshed + 1);
    await expect.poll(() => renewal().count()).toBe(0);
    expect(await page().getByText('Not refreshed.').count()).toBe(0);
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
