import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { formatAmount } from '../../examples/dashboard/src/money.ts';
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
import { hold, SHOWN, tokenOf, useDashboard } from './dashboard-page.ts';

const gateway = await useGateway();
const { page, outDir, visitAnew, connect, summary, search, button, scrollTo, scrollToEnd, scrolledTo, rows } =
  useDashboard(gateway);
const debtors = debtorsOf(gateway, ADMINISTRATION);
const numbers = async () => (await rows()).map(([number]) => number);
const numbersOf = (records: typeof debtors) => records.map((debtor) => debtor.debtor_number);

describeInBrowser('the dashboard', () => {
  test('is built without the token of the machine that builds it', async () => {
    const files = await readdir(outDir, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
    expect((await Promise.all(texts)).join()).not.toContain('a token of');
    expect(await page().getByLabel('Access token').inputValue()).toBe('');
  });

  test('shows open amounts and labels, and asks for nothing else', async () => {
    await connect();
    await summary('50 debtors shown');
    const shown = debtors
      .slice(0, 50)
      .map(({ debtor_number, name, labels, book_open_amount }) => [
        debtor_number,
        name,
        labels?.map((label) => label.name).join(''),
        formatAmount(present(book_open_amount)),
      ]);
    expect(await rows()).toEqual(shown);
    expect(gateway.calls()).toMatchObject([
      { call: 'POST /oauth/introspect' },
      { call: 'GET /v1/debtors', administration_id: ADMINISTRATION, per_page: '50', only: SHOWN },
    ]);
    expect(gateway.calls()).toHaveLength(2);
  });

  test('reads the next page when its end comes near', async () => {
    await connect();
    await summary('50 debtors shown');
    await scrollToEnd();
    await summary('100 debtors shown');
    const [, , second, ...others] = gateway.calls();
    expect(second).toMatchObject({ call: 'GET /v1/debtors', per_page: '50', only: SHOWN });
    expect(second).toHaveProperty('cursor');
    expect(others).toEqual([]);
    expect(await numbers()).toEqual(numbersOf(debtors.slice(0, 100)));
  });

  test('keeps what it shows when a later page fails, and tries that page again', async () => {
    await connect();
    await summary('50 debtors shown');
    gateway.rest.misbehave({ kind: 'status', status: 403 });
    await scrollToEnd();
    await page().getByRole('alert').getByText('This access token may not read these debtors').waitFor();
    expect(await rows()).toHaveLength(50);
    await button('Try again').press('Enter');
    await summary('100 debtors shown');
  });

  test('counts the records that the service sent broken', async () => {
    gateway.rest.misbehave({
      match: { method: 'GET' },
      kind: 'rewrite',
      rewrite: (body) =>
        JSON.parse(JSON.stringify(body).replace(/"debtor_number":"\w+"/, '"debtor_number":null')),
    });
    await connect();
    await summary('49 debtors shown');
    await summary('1 could not be read');
  });

  test('has no fault that axe finds, wide or narrow, light or dark', async () => {
    await visitAnew();
    await page().clock.install();
    await expectAccessible(page());
    // A few rows are checked as well as many, and sooner.
    const short = changePage((page) => ({ data: page.data.slice(0, 3) }));
    gateway.rest.misbehave({ ...short, match: { method: 'GET' } });
    await connect();
    await summary('3 debtors shown');
    await expectAccessible(page());
    await page().emulateMedia({ colorScheme: 'dark' });
    await page().setViewportSize({ width: 390, height: 800 });
    gateway.rest.misbehave({ kind: 'status', status: 401 });
    await page().clock.fastForward(31_000);
    await page().getByText('Not refreshed.').waitFor();
    await expectAccessible(page());
    gateway.rest.misbehave({ kind: 'status', status: 403 });
    await page().getByRole('button', { name: 'Reload' }).click();
    await page().getByRole('alert').waitFor();
    await expectAccessible(page());
    gateway.rest.misbehave({ kind: 'status', status: 403 });
    await button('Use another token').click();
    await connect();
    await page().getByText('cannot be listed').waitFor();
    await expectAccessible(page());
  }, 30_000);
});

describeInBrowser('its choice of administrations', () => {
  test('names those that the token reaches, and shows the chosen one from its start', async () => {
    await connect();
    await summary('50 debtors shown');
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
    expect(await page().getByLabel('Debtor number').inputValue()).toBe('');
    expect(await scrolledTo()).toBe(0);
    expect(await page().evaluate('document.activeElement.tagName')).toBe('SELECT');
    expect(gateway.calls().at(-1)).toMatchObject({ administration_id: SMALL_ADMINISTRATION, only: SHOWN });
  });

  test('is free text where the gateway has no application to ask with', async () => {
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
    await summary('50 debtors shown');
    expect(bare.calls()).toMatchObject([{ administration_id: SMALL_ADMINISTRATION, per_page: '50' }]);
  });

  test('is free text for a token of another application, which may read debtors all the same', async () => {
    gateway.rest.misbehave({ kind: 'rewrite', rewrite: () => ({ active: false }) });
    await connect();
    await page().getByRole('alert').getByText('does not belong to the application').waitFor();
    await page().getByLabel('Administration').fill(ADMINISTRATION);
    await page().keyboard.press('Enter');
    await summary('50 debtors shown');
  });
});

describeInBrowser('its search', () => {
  test('looks for a number once, when typing pauses', async () => {
    const debtor = present(debtors[70]);
    await visitAnew();
    // Before the page starts any timer: one of the true clock could not be stopped by the page any more.
    await page().clock.install();
    await connect();
    await summary('50 debtors shown');
    await page().clock.pauseAt(Date.now() + 3_600_000);
    gateway.rest.calls.length = 0;
    await page().getByLabel('Debtor number').pressSequentially(debtor.debtor_number);
    const searches = () => gateway.calls().filter((call) => 'debtor_numbers' in call);
    expect(searches()).toEqual([]);
    // The page may not have seen the last key yet when the clock first moves.
    const found = async () => {
      await page().clock.runFor(1_000);
      return rows();
    };
    await expect
      .poll(found, { timeout: 10_000 })
      .toEqual([expect.arrayContaining([debtor.debtor_number, debtor.name])]);
    expect(searches()).toMatchObject([{ debtor_numbers: debtor.debtor_number, only: SHOWN }]);
  });

  test('never shows an answer to an earlier question', async () => {
    const [early, late] = [present(debtors[3]), present(debtors[4])];
    const isEarly = (request: Request) => request.postData()?.includes(early.debtor_number) ?? false;
    const { held, letGo } = hold();
    await page().route('**/graphql', async (route) => {
      if (isEarly(route.request())) await held;
      await route.continue();
    });
    await connect();
    await summary('50 debtors shown');
    await search(early.debtor_number);
    await page().waitForRequest(isEarly);
    const over = Promise.race([
      page().waitForEvent('requestfinished', isEarly),
      page().waitForEvent('requestfailed', isEarly),
    ]);
    await search(late.debtor_number);
    await summary('1 debtor shown');
    letGo();
    await over;
    // Whatever the page made of the early answer, it has done so when it gets this one.
    await page().evaluate('fetch("/")');
    expect(await numbers()).toEqual([late.debtor_number]);
  });

  test('gives back the rows and the place when it is cleared, and reads nothing for that', async () => {
    await connect();
    await summary('50 debtors shown');
    await scrollToEnd();
    await summary('100 debtors shown');
    await scrollTo(1234);
    await expect.poll(scrolledTo).toBe(1234);
    await search('nobody');
    await page().getByText('No debtor has the number nobody.').waitFor();
    expect(await rows()).toEqual([]);
    const calls = gateway.calls().length;
    await search('');
    await summary('100 debtors shown');
    expect(await scrolledTo()).toBe(1234);
    expect(gateway.calls()).toHaveLength(calls);
  });
});

describeInBrowser('a token that is refused', () => {
  test('gives way to another, with nothing left of what the first has read', async () => {
    // Filled in, as it is while developing.
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
    await summary('50 debtors shown');
    gateway.rest.misbehave({ kind: 'status', status: 401 });
    await scrollToEnd();
    await page().getByRole('alert').getByText('The access token was not accepted').waitFor();
    await button('Use another token').click();
    expect(await page().getByLabel('Access token').inputValue()).toBe('');
    expect(await page().evaluate('document.activeElement.tagName')).toBe('INPUT');
    const left = await page().evaluate<string>(
      'document.documentElement.outerHTML + JSON.stringify([localStorage, sessionStorage, history.state, location])',
    );
    for (const { name } of debtors.slice(0, 50)) expect(left).not.toContain(name);
    expect(left).not.toContain('Zorggroep');

    await connect(tokenOf(OTHER_BEARER));
    await summary('50 debtors shown');
    const theirs = debtorsOf(gateway, FOREIGN_ADMINISTRATION).slice(0, 50);
    expect(await numbers()).toEqual(numbersOf(theirs));
    expect(await page().getByLabel('Administration').locator('option').count()).toBe(1);
    expect(gateway.rest.calls.at(-1)?.headers).toMatchObject(OTHER_BEARER);
  });

  test('is told in words, before anything was read', async () => {
    await connect('no-such-token');
    const alert = page().getByRole('alert');
    await alert.getByText('Your token has expired').waitFor();
    await page().getByLabel('Administration').fill(ADMINISTRATION);
    await page().keyboard.press('Enter');
    await alert.getByText('The access token was not accepted').waitFor();
    expect(await alert.innerText()).toContain('The REST service did not accept the credential.');
    await button('Use another token').click();
    await page().getByLabel('Access token').waitFor();
  });
});
