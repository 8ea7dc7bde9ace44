import { afterAll, beforeEach, expect, test } from 'vitest';
import { formatAmount } from '../../examples/dashboard/src/money.ts';
import { generateData } from '../../src/demo/data/generate.ts';
import { describeInBrowser } from '../support/browser.ts';
import { ADMINISTRATION, BEARER, issueTokens, startGateway, type TestGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { useStreamProxy } from '../support/stream-proxy.ts';
import { tokenOf, useDashboard } from './dashboard-page.ts';

const data = generateData(Date.now());
const debtors = () => data.debtors.filter((debtor) => debtor.administration_id === ADMINISTRATION);
/** Returns the amount that a debtor owes now, as the service writes it. */
function owe(id: string, book_open_amount: string): void {
  const index = data.debtors.findIndex((each) => each.id === id);
  const updated_at = new Date().toISOString();
  data.debtors[index] = { ...present(data.debtors[index]), book_open_amount, updated_at };
}
const debtor = (index: number) => present(debtors()[index]);
const proxy = await useStreamProxy();
let gateway: TestGateway;
await start();
afterAll(() => gateway.close());
const dashboard = useDashboard(proxy, { hasStreams: true });
const { page, connect, summary, rows, complaints, visitAnew } = dashboard;

async function start(): Promise<void> {
  gateway = await startGateway({ rest: { data }, gateway: { changesPollMs: 100 } });
  proxy.target = gateway.url;
}

beforeEach(() => {
  gateway.rest.behave();
  gateway.rest.calls.length = 0;
  proxy.passage = 'pass';
});

const says = (text: string) =>
  page().locator('footer').getByRole('status').filter({ hasText: text }).waitFor();
const row = (number: string) => page().getByRole('row').filter({ hasText: number });
const amountOf = (number: string) => row(number).locator('.amount').textContent();
const numbers = async () => (await rows()).map(([number]) => number);
const isLit = (number: string) =>
  page().evaluate<boolean>(
    `[...document.querySelectorAll('tbody tr')].find((row) => row.cells[0].textContent === '${number}')
       .getAnimations().length > 0`,
  );

async function open(): Promise<void> {
  await connect();
  await summary('50 shown of');
  await says('Connected');
}

/** Lets the time of the page pass, second by second, until it asks for another stream. */
async function untilAsked() {
  const before = proxy.asked.length;
  const tick = async () => {
    if (proxy.asked.length === before) await page().clock.runFor(1_000);
    return proxy.asked.length;
  };
  await expect.poll(tick).toBeGreaterThan(before);
  return proxy.asked.at(-1);
}

const sumOf = () => page().locator('.summary strong').nth(2).textContent();

describeInBrowser('the dashboard, when connected,', () => {
  test('highlights a row that changes at its position, and updates the sum', async () => {
    await open();
    const { id, debtor_number } = debtor(1);
    const before = await numbers();
    const sum = await sumOf();
    owe(id, '31.41');
    await expect.poll(() => amountOf(debtor_number)).toBe(formatAmount('31.41'));
    expect(await isLit(debtor_number)).toBe(true);
    expect(await isLit(debtor(0).debtor_number)).toBe(false);
    expect(await numbers()).toEqual(before);
    await expect.poll(sumOf).not.toBe(sum);
  });

  test('catches up after a restart of the gateway', async () => {
    await open();
    const { id, debtor_number } = debtor(1);
    const sum = await sumOf();
    owe(id, '6.00');
    await expect.poll(() => amountOf(debtor_number)).toBe(formatAmount('6.00'));
    // Reading the list again would fail with the gateway, which is not tested here.
    await expect.poll(sumOf).not.toBe(sum);
    proxy.target = undefined;
    // Stop, rather than cut: the preview's proxy keeps a stream open that is cut.
    await gateway.drain();
    await gateway.close();
    await says('Catching up');
    owe(id, '7.00');
    await start();
    await expect.poll(() => amountOf(debtor_number)).toBe(formatAmount('7.00'));
    await says('Connected');
    expect(proxy.asked.at(-1)).toEqual({ administrationId: ADMINISTRATION, after: expect.any(String) });
    complaints().splice(0);
  });

  test.each(['is rejected', 'expires while the gateway restarts'])(
    'asks for another token if its own %s, and then continues',
    async (what) => {
      await open();
      await dashboard.scrollToEnd();
      await summary('100 shown of');
      const { id, debtor_number } = debtor(1);
      owe(id, '9.00');
      await expect.poll(() => amountOf(debtor_number)).toBe(formatAmount('9.00'));
      const first = gateway;
      if (what !== 'is rejected') await start();
      gateway.rest.misbehave({
        kind: 'status',
        status: 401,
        times: 1_000,
        match: { authorization: BEARER.authorization },
      });
      if (first !== gateway) {
        await first.drain();
        await first.close();
      }
      await says('Stopped.');
      const asked = proxy.asked.length;
      owe(id, '9.50');
      const [bearer] = await issueTokens(gateway.rest, 1);
      await page()
        .getByLabel('New access token')
        .fill(tokenOf(present(bearer)));
      await page().keyboard.press('Enter');
      await expect.poll(() => amountOf(debtor_number)).toBe(formatAmount('9.50'));
      await says('Connected');
      expect(proxy.asked.slice(asked)).toEqual([
        { administrationId: ADMINISTRATION, after: expect.any(String) },
      ]);
      expect(await rows()).toHaveLength(100);
      await dashboard.scrollToEnd();
      await summary('150 shown of');
      expect(new Set(gateway.rest.calls.map(({ headers }) => headers.authorization))).toContain(
        present(bearer).authorization,
      );
    },
  );
});

describeInBrowser('the dashboard, if streams are impossible,', () => {
  test('polls every 30 s, and later tries a stream again', async () => {
    const status = 404;
    proxy.passage = status;
    await visitAnew();
    await page().clock.install();
    await connect();
    await says('Polling every 30 s instead.');
    owe(debtor(1).id, `${status}.00`);
    await page().clock.runFor(31_000);
    await expect.poll(() => amountOf(debtor(1).debtor_number)).toBe(formatAmount(`${status}.00`));
    proxy.passage = 'pass';
    await page().clock.fastForward(260_000);
    await untilAsked();
    await says('Connected');
    // The browser's own.
    const refusals = complaints().splice(0);
    expect(refusals.filter((complaint) => !complaint.includes(`status of ${status}`))).toEqual([]);
  });
});

describeInBrowser('the stream of the dashboard', () => {
  const setVisibility = (state: 'visible' | 'hidden') =>
    page().evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);

  test('closes while the page is hidden, and catches up when it is visible', async () => {
    await open();
    const { id, debtor_number } = debtor(1);
    await setVisibility('hidden');
    await says('Catching up');
    const polls = () => gateway.calls().filter((call) => 'updated_after' in call).length;
    let before = -1;
    const isOver = async () => {
      const was = before;
      before = polls();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return was === before;
    };
    await expect.poll(isOver).toBe(true);
    owe(id, '13.00');
    await setVisibility('visible');
    await expect.poll(() => amountOf(debtor_number)).toBe(formatAmount('13.00'));
    await says('Connected');
  });
});
