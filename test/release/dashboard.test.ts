import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { formatAmount, formatCount } from '../../examples/dashboard/src/money.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { describeInBrowser } from '../support/browser.ts';
import {
  ADMINISTRATION,
  BEARER,
  FOREIGN_ADMINISTRATION,
  freshGateway,
  OTHER_BEARER,
  SMALL_ADMINISTRATION,
  useGateway,
} from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changePage } from '../support/rest-pages.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { withResolver } from '../support/with-resolver.ts';
import { pagesIn, tokenOf, useDashboard } from './dashboard-page.ts';

/** Exactly what a row shows, and what the gateway itself reads. */
const READ = ['id', 'administration_id'];
const SHOWN = [...READ, 'debtor_number', 'name', 'book_open_amount', { labels: ['name'] }];
/** Reads the full list, for its totals, its cities and the labels to choose from. */
const ADDED_UP = [...READ, 'book_open_amount', { labels: ['name'] }, { postal_address: ['city'] }];

const gateway = await useGateway();
const { page, outDir, visitAnew, connect, summary, answered, search, complaints, ...reading } =
  useDashboard(gateway);
const { scrollTo, scrollToEnd, scrolledTo, rows, leave } = reading;
const debtors = debtorsOf(gateway, ADMINISTRATION);
const numbers = async () => (await rows()).map(([number]) => number);
const numbersOf = (records: typeof debtors) => records.map((debtor) => debtor.debtor_number);
/** Returns cents: the amounts of the service have two decimals. */
const cents = (amount: string) => BigInt(amount.replace('.', ''));
const compareAmounts = (one: string, other: string) => Number(cents(one) - cents(other));
const sumOf = (records: typeof debtors) =>
  records.reduce((total, { book_open_amount }) => total + cents(book_open_amount ?? '0'), 0n);
const openAmountOf = (records: typeof debtors) => formatAmount(`${sumOf(records)}`.replace(/(..)$/, '.$1'));

describeInBrowser('the dashboard', () => {
  test('is built without the token of the machine that builds it', async () => {
    const files = await readdir(outDir, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
    expect((await Promise.all(texts)).join()).not.toContain('a token of');
    expect(await page().getByLabel('Access token').inputValue()).toBe('');
  });

  test('shows open amounts and labels, and requests nothing else', async () => {
    await connect();
    await summary(`50 shown of ${formatCount(debtors.length)} debtors, ${openAmountOf(debtors)} open`);
    const shown = debtors
      .slice(0, 50)
      .map(({ debtor_number, name, labels, book_open_amount }) => [
        debtor_number,
        name,
        labels?.map((label) => label.name).join(''),
        formatAmount(present(book_open_amount)),
      ]);
    expect(await rows()).toEqual(shown);
    const [introspection, ...lists] = gateway.calls();
    expect(introspection).toMatchObject({ call: 'POST /oauth/introspect' });
    const list = { call: 'GET /v1/debtors', administration_id: ADMINISTRATION };
    expect(pagesIn(lists)).toEqual([{ ...list, per_page: '50', only: SHOWN }]);
    const whole = lists.filter(({ per_page }) => per_page === '500');
    expect(whole).toHaveLength(Math.ceil(debtors.length / 500));
    for (const call of whole) expect(call).toMatchObject({ ...list, only: ADDED_UP });
    expect(lists).toHaveLength(1 + whole.length);
  });

  test('is accessible according to axe, on wide and narrow screens, in light and dark colors', async () => {
    await visitAnew();
    await page().clock.install();
    await expectAccessible(page());
    // A few rows are checked as well as many, and sooner.
    const short = changePage((page) => ({ data: page.data.slice(0, 3) }));
    gateway.rest.misbehave({ ...short, match: { method: 'GET' }, times: 2 });
    await connect();
    await summary('3 shown of');
    await expectAccessible(page());
    await page().emulateMedia({ colorScheme: 'dark' });
    await page().setViewportSize({ width: 390, height: 800 });
    gateway.rest.misbehave({ kind: 'status', status: 401 });
    await page().clock.fastForward(31_000);
    await page().getByText('Not refreshed.').waitFor();
    await expectAccessible(page());
    gateway.rest.misbehave({ kind: 'status', status: 403, times: 2 });
    await page().getByRole('button', { name: 'Reload' }).click();
    await page().getByRole('alert').waitFor();
    await expectAccessible(page());
    gateway.rest.misbehave({ kind: 'status', status: 403 });
    await leave();
    await connect();
    await page().getByText('If it belongs to another application, enter').waitFor();
    await expectAccessible(page());
  });
});

describeInBrowser('the administrations of the dashboard', () => {
  test('are those of the token, and the page shows the start of the chosen one', async () => {
    await connect();
    await summary('50 shown of');
    await scrollTo(1000);
    const choice = page().getByLabel('Administration');
    const names = gateway.rest.data.administrations.flatMap(({ company_id, name }) =>
      company_id === '101' ? name : [],
    );
    expect(await choice.locator('option').allTextContents()).toEqual(names);
    await search('nobody');
    await choice.focus();
    await choice.selectOption(present(names[1]));
    await expect.poll(numbers).toEqual(numbersOf(debtorsOf(gateway, SMALL_ADMINISTRATION).slice(0, 50)));
    expect(await page().getByLabel('Name or number').inputValue()).toBe('');
    expect(await scrolledTo()).toBe(0);
    expect(await page().evaluate('document.activeElement.tagName')).toBe('SELECT');
    expect(pagesIn(gateway.calls()).at(-1)).toMatchObject({
      administration_id: SMALL_ADMINISTRATION,
      only: SHOWN,
    });
  });

  test('are typed by id if the gateway has no application', async () => {
    const bare = await freshGateway({ withoutApplication: true });
    await page().route('**/graphql', async (route) =>
      route.fulfill({ response: await route.fetch({ url: bare.url }) }),
    );
    await connect();
    const alert = page().getByRole('alert');
    await alert.getByText('The administrations of this token cannot be listed').waitFor();
    expect(await alert.innerText()).toContain('X-Client-Authorization');
    expect(await alert.getByRole('button').allInnerTexts()).toEqual(['Try again']);
    await page().getByLabel('Administration').fill(` ${SMALL_ADMINISTRATION} `);
    await page().keyboard.press('Enter');
    await summary('50 shown of');
    expect(pagesIn(bare.calls())).toMatchObject([{ administration_id: SMALL_ADMINISTRATION }]);
  });
});

describeInBrowser('the search of the dashboard', () => {
  test('sends one request when typing pauses, and finds part of a name without case or accents', async () => {
    const isSearch = (request: Request) => request.postData()?.includes('"where":{') ?? false;
    const searches: string[] = [];
    await visitAnew();
    // Stop the clock before the page starts any timer, which it could not stop later.
    await page().clock.install();
    await connect();
    await summary('50 shown of');
    await page().clock.pauseAt(Date.now() + 3_600_000);
    page().on('request', (request) => isSearch(request) && searches.push(present(request.postData())));
    await page().getByLabel('Name or number').pressSequentially('NOELLE V');
    expect(searches).toEqual([]);
    const found = debtors.filter(({ name }) => name.startsWith('Noëlle v') || name.startsWith('Noëlle V'));
    // The page may not have seen the last key yet when the clock first moves.
    const shown = async () => {
      await page().clock.runFor(1_000);
      return numbers();
    };
    await expect.poll(shown).toEqual(numbersOf(found));
    await summary(`${found.length} shown of ${found.length} debtors, ${openAmountOf(found)} open`);
    expect(searches.map((body) => JSON.parse(body).variables.where)).toEqual([
      { and: [{ or: [{ name: { contains: 'NOELLE V' } }, { debtorNumber: { startsWith: 'NOELLE V' } }] }] },
    ]);
  });

  test('does not show a response to an earlier search', async () => {
    const [early, late] = [present(debtors[3]), present(debtors[4])];
    const isEarly = (request: Request) => request.postData()?.includes(early.debtor_number) ?? false;
    const { promise: held, resolve: letGo } = withResolver();
    await page().route('**/graphql', async (route) => {
      if (isEarly(route.request())) await held;
      await route.continue();
    });
    await connect();
    await summary('50 shown of');
    await search(early.debtor_number);
    await page().waitForRequest(isEarly);
    const over = Promise.race([
      page().waitForEvent('requestfinished', isEarly),
      page().waitForEvent('requestfailed', isEarly),
    ]);
    await search(late.debtor_number);
    await summary('1 shown of 1 debtor,');
    letGo();
    await over;
    // The page has handled the early response once it gets this one.
    await page().evaluate('fetch("/")');
    expect(await numbers()).toEqual([late.debtor_number]);
  });
});

describeInBrowser('the column heads of the dashboard', () => {
  test('let the gateway sort the list, first in one direction, then in the other, then not', async () => {
    const head = page().getByRole('columnheader', { name: 'Open amount' });
    const byAmount = debtors
      .filter((debtor) => debtor.book_open_amount !== null)
      .sort((one, other) => compareAmounts(present(one.book_open_amount), present(other.book_open_amount)));
    await connect();
    await summary('50 shown of');
    expect(await head.getAttribute('aria-sort')).toBe('none');
    const press = () => head.getByRole('button').press('Enter');
    await press();
    await expect.poll(numbers).toEqual(numbersOf(byAmount.toReversed().slice(0, 50)));
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    await press();
    await expect.poll(numbers).toEqual(numbersOf(byAmount.slice(0, 50)));
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await answered();
    const calls = gateway.calls().length;
    await press();
    await expect.poll(numbers).toEqual(numbersOf(debtors.slice(0, 50)));
    expect(await head.getAttribute('aria-sort')).toBe('none');
    expect(gateway.calls()).toHaveLength(calls);
  });
});

describeInBrowser('the filters of the dashboard', () => {
  const found = debtors.filter(
    ({ labels, book_open_amount }) =>
      labels?.some(({ name }) => name === 'Zakelijk') &&
      compareAmounts(book_open_amount ?? '0', '1000.50') >= 0,
  );
  const filter = async () => {
    await connect();
    await summary('50 shown of');
    await page().getByLabel('Label').selectOption('Zakelijk');
    await page().getByLabel('Open amount from').fill('1000.50');
    await summary(`50 shown of ${formatCount(found.length)} debtors, ${openAmountOf(found)} open`);
  };

  test('also apply to the download, which has all rows and no token in its URL', async () => {
    await filter();
    const [download] = await Promise.all([
      page().waitForEvent('download'),
      page().getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`debtors-${ADMINISTRATION}.csv`);
    await page().getByRole('button', { name: 'Downloaded' }).waitFor();
    const text = await readFile(await download.path(), 'utf8');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe('\uFEFFdebtorNumber,name,bookOpenAmount,labels.name');
    expect(lines.map((line) => line.split(',')[0])).toEqual(numbersOf(found));
    expect(gateway.rest.calls.at(-1)?.headers).toMatchObject(BEARER);

    gateway.rest.misbehave({ kind: 'status', status: 403 });
    await page().getByRole('button', { name: 'Download CSV' }).click();
    const alert = page().getByRole('alert');
    await alert.getByText('Nothing was downloaded').waitFor();
    // The browser's own, since an export that fails has the status of its error.
    await expect.poll(complaints).toEqual([expect.stringContaining('403')]);
    complaints().splice(0);
    expect(await numbers()).toEqual(numbersOf(found.slice(0, 50)));
  });
});

describeInBrowser('a rejected token of the dashboard', () => {
  test('can be replaced, and the page keeps nothing that was read with it', async () => {
    await page().route('**/', async (route) => {
      const response = await route.fetch();
      const prefill = `<meta name="prefill-token" content="${tokenOf(BEARER)}">`;
      await route.fulfill({
        response,
        body: (await response.text()).replace('<title>', `${prefill}<title>`),
      });
    });
    await page().reload();
    await page().getByLabel('Access token').press('Enter');
    await summary('50 shown of');
    gateway.rest.misbehave({ kind: 'status', status: 401 });
    await scrollToEnd();
    await page().getByRole('alert').getByText('The access token was rejected').waitFor();
    await leave();
    expect(await page().getByLabel('Access token').inputValue()).toBe('');
    expect(await page().evaluate('document.activeElement.tagName')).toBe('INPUT');
    const left = await page().evaluate<string>(
      'document.documentElement.outerHTML + JSON.stringify([localStorage, sessionStorage, history.state, location])',
    );
    for (const { name } of debtors.slice(0, 50)) expect(left).not.toContain(name);
    expect(left).not.toContain('Zorggroep');

    await connect(tokenOf(OTHER_BEARER));
    await summary('50 shown of');
    const theirs = debtorsOf(gateway, FOREIGN_ADMINISTRATION).slice(0, 50);
    expect(await numbers()).toEqual(numbersOf(theirs));
    expect(await page().getByLabel('Administration').locator('option').count()).toBe(1);
    expect(gateway.rest.calls.at(-1)?.headers).toMatchObject(OTHER_BEARER);
  });
});
