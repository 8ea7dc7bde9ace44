import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page, Request } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatAmount } from '../../examples/dashboard/src/money.ts';
import { lacksBrowser, launchBrowser, type Visit, visit } from '../support/browser.ts';
import { ADMINISTRATION, BEARER, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { debtorsOf } from '../support/rest-records.ts';

const root = fileURLToPath(new URL('../../examples/dashboard/', import.meta.url));
const gateway = await useGateway();
const debtors = debtorsOf(gateway, ADMINISTRATION);

/** Exactly what a row shows, and what the gateway itself reads. */
const SHOWN = ['id', 'administration_id', 'debtor_number', 'name', 'book_open_amount', { labels: ['name'] }];

describe.skipIf(lacksBrowser)('the dashboard', () => {
  let outDir: string;
  let server: PreviewServer;
  let browser: Browser;
  let visitor: Visit;
  let page: Page;

  beforeAll(async () => {
    outDir = await mkdtemp(join(tmpdir(), 'dashboard-'));
    // Else React's build for development is taken, which does everything twice.
    vi.stubEnv('NODE_ENV', 'production');
    vi.stubEnv('GATEWAY_URL', gateway.url);
    vi.stubEnv('GATEWAY_TOKEN', 'a token of the one who builds');
    await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    server = await preview({ root, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
    vi.unstubAllEnvs();
    browser = await launchBrowser();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(outDir, { recursive: true });
  });

  beforeEach(async () => {
    visitor = await visit(browser, present(server.resolvedUrls?.local[0]));
    page = visitor.page;
  });

  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    expect(visitor.strayRequests).toEqual([]);
    await page.context().close();
  });

  async function connect(token = BEARER.authorization.replace('Bearer ', '')): Promise<void> {
    await page.getByLabel('Administration').fill(ADMINISTRATION);
    await page.getByLabel('Access token').fill(token);
    await page.keyboard.press('Enter');
  }

  const summary = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const search = (text: string) => page.getByLabel('Debtor number').fill(text);
  const scrollToEnd = () => page.evaluate('scrollTo(0, document.body.scrollHeight)');
  /** The texts of each row's cells. */
  const rows = () =>
    page.evaluate<string[][]>(
      '[...document.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent))',
    );

  test('is built without the token of the machine that builds it', async () => {
    const files = await readdir(outDir, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
    expect((await Promise.all(texts)).join()).not.toContain('a token of');
    expect(await page.getByLabel('Access token').inputValue()).toBe('');
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
    expect(gateway.calls()).toEqual([
      { call: 'GET /v1/debtors', administration_id: ADMINISTRATION, per_page: '50', only: SHOWN },
    ]);
  });

  test('reads the next page when its end comes near', async () => {
    await connect();
    await summary('50 debtors shown');
    await scrollToEnd();
    await summary('100 debtors shown');
    const [, second, ...others] = gateway.calls();
    expect(second).toMatchObject({ call: 'GET /v1/debtors', per_page: '50', only: SHOWN });
    expect(second).toHaveProperty('cursor');
    expect(others).toEqual([]);
    expect((await rows()).map(([number]) => number)).toEqual(
      debtors.slice(0, 100).map((debtor) => debtor.debtor_number),
    );
  });

  test('looks for a number once, when typing pauses', async () => {
    const debtor = present(debtors[70]);
    // Before the page starts any timer: one of the true clock could not be stopped by the page any more.
    await page.clock.install();
    await page.reload();
    await connect();
    await summary('50 debtors shown');
    await page.clock.pauseAt(Date.now() + 3_600_000);
    gateway.rest.calls.length = 0;
    await page.getByLabel('Debtor number').pressSequentially(debtor.debtor_number);
    expect(gateway.calls()).toEqual([]);
    // The page may not have seen the last key yet when the clock first moves.
    const found = async () => {
      await page.clock.runFor(1_000);
      return rows();
    };
    await expect
      .poll(found, { timeout: 10_000 })
      .toEqual([expect.arrayContaining([debtor.debtor_number, debtor.name])]);
    expect(gateway.calls()).toMatchObject([{ debtor_numbers: debtor.debtor_number, only: SHOWN }]);
  });

  test('never shows an answer to an earlier question', async () => {
    const [early, late] = [present(debtors[3]), present(debtors[4])];
    const isEarly = (request: Request) => request.postData()?.includes(early.debtor_number) ?? false;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (isEarly(route.request())) await held;
      await route.continue();
    });
    await connect();
    await summary('50 debtors shown');
    await search(early.debtor_number);
    await page.waitForRequest(isEarly);
    const over = Promise.race([
      page.waitForEvent('requestfinished', isEarly),
      page.waitForEvent('requestfailed', isEarly),
    ]);
    await search(late.debtor_number);
    await summary('1 debtor shown');
    letGo();
    await over;
    // Whatever the page made of the early answer, it has done so when it gets this one.
    await page.evaluate('fetch("/")');
    expect((await rows()).map(([number]) => number)).toEqual([late.debtor_number]);
  });

  test('says that no debtor has a number', async () => {
    await connect();
    await search('nobody');
    await page.getByText('No debtor has the number nobody.').waitFor();
    await search('');
    await summary('50 debtors shown');
  });

  test('says in words that a token is not accepted', async () => {
    await connect('no-such-token');
    const alert = page.getByRole('alert');
    await alert.getByText('The access token was not accepted').waitFor();
    expect(await alert.innerText()).toContain('The REST service did not accept the credential.');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    expect(await page.getByLabel('Access token').inputValue()).toBe('');
  });

  test('keeps what it shows when a later page fails, and tries that page again', async () => {
    await connect();
    await summary('50 debtors shown');
    gateway.rest.misbehave({ kind: 'status', status: 403 });
    await scrollToEnd();
    await page.getByRole('alert').getByText('This access token may not read these debtors').waitFor();
    expect(await rows()).toHaveLength(50);
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await summary('100 debtors shown');
  });

  test('counts the records that the service sent broken', async () => {
    gateway.rest.misbehave({
      kind: 'rewrite',
      rewrite: (body) =>
        JSON.parse(JSON.stringify(body).replace(/"debtor_number":"\w+"/, '"debtor_number":null')),
    });
    await connect();
    await summary('49 debtors shown');
    await summary('1 could not be read');
  });
});
