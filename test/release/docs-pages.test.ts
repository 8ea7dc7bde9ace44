import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import type { Running } from '../../src/server/serve.ts';
import { blocksOf } from '../docs/pages.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { describeInBrowser, testInBrowser, type Visit, visit } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { serveBuilt } from '../support/serve.ts';

const WRITTEN_ORIGIN = 'http://localhost:4000';

let running: Running;
let origin: string;
beforeAll(async () => {
  running = await serveBuilt(readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0' }, []));
  origin = new URL(running.url).origin;
});
afterAll(() => running.stop());

async function open(path: string, options?: BrowserContextOptions): Promise<Visit> {
  const visited = await visit(origin + path, options);
  onTestFinished(() => visited.page.context().close());
  return visited;
}

const results = (page: Page) => page.getByRole('search').getByRole('link');

describeInBrowser('a page of the documentation in a browser', () => {
  testInBrowser('names the address that the reader uses', async () => {
    const { page, complaints } = await open('/docs');
    const text = await page.getByRole('main').innerText();
    expect(text).toContain(`curl ${origin}/graphql`);
    expect(text).toContain(`fetch('${origin}/graphql'`);
    expect(text).not.toContain(WRITTEN_ORIGIN);
    expect(complaints).toEqual([]);
  });

  testInBrowser('copies a block, with that address', async () => {
    const { page, complaints } = await open('/docs', { permissions: ['clipboard-read', 'clipboard-write'] });
    const [command, answer] = blocksOf('docs/getting-started.md').map(({ text }) => text);
    const copy = page.getByRole('button', { name: 'Copy' });
    await copy.first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    expect(await copied()).toBe(command?.replaceAll(WRITTEN_ORIGIN, origin));
    // The first one is called otherwise for a moment.
    await copy.first().press('Enter');
    await eventually(async () => expect(await copied()).toBe(answer));
    expect(complaints).toEqual([]);
  });

  testInBrowser('is searched by the keyboard, with an index that is loaded then', async () => {
    const { page, complaints, strayRequests } = await open('/docs/scaling');
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    const box = page.getByRole('searchbox');
    await page.keyboard.press('/');
    await page.keyboard.type('list_too_long');
    await results(page).first().waitFor();
    expect(loaded.filter((path) => path !== '/docs/icon.svg')).toEqual(['/docs/search.json']);
    expect(await box.inputValue()).toBe('list_too_long');
    expect(await results(page).first().innerText()).toMatch(/^Errors › LIST_TOO_LONG\n/);
    // A slash that is typed is a slash.
    await page.keyboard.type('/');
    expect(await box.inputValue()).toBe('list_too_long/');
    await page.keyboard.type(' qqqq');
    await page.getByText('Nothing found for “list_too_long/ qqqq”.').waitFor();
    await box.fill('list_too_long');
    await results(page).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await results(page).count()).toBe(0);
    await page.keyboard.type(' among');
    await results(page).first().waitFor();
    await results(page).first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/docs/errors#LIST_TOO_LONG`);
    expect(await page.locator('tr:target').innerText()).toContain('LIST_TOO_LONG');
    expect(complaints).toEqual([]);
    expect(strayRequests).toEqual([]);
  });

  testInBrowser('finds what is on the same page, and closes the results', async () => {
    const { page } = await open('/docs/querying');
    await page.getByRole('searchbox').fill('endless scroll');
    await results(page).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/docs/querying#endless-scroll`);
    expect(await results(page).count()).toBe(0);
  });

  testInBrowser('hides the results when the reader goes elsewhere, and shows them again', async () => {
    const { page } = await open('/docs');
    await page.getByRole('searchbox').fill('debtors');
    await results(page).first().waitFor();
    await page.getByRole('heading', { level: 1 }).click({ position: { x: 3, y: 3 } });
    expect(await results(page).count()).toBe(0);
    await page.keyboard.press('/');
    await results(page).first().waitFor();
  });

  testInBrowser('says so where the search cannot be loaded, and tries again', async () => {
    const { page } = await open('/docs');
    let isDown = true;
    await page.route('**/docs/search.json', (route) => (isDown ? route.abort() : route.continue()));
    const box = page.getByRole('searchbox');
    await box.fill('debtors');
    await page.getByText('The search does not work now').waitFor();
    isDown = false;
    await box.fill('debtor');
    await results(page).first().waitFor();
  });

  testInBrowser('is accessible and fits a phone, with the results of a search too', async () => {
    const { page, complaints } = await open('/docs', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    const overflow = 'document.documentElement.scrollWidth - innerWidth';
    await page.getByRole('searchbox').fill('debtors');
    await results(page).first().waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(overflow)).toBe(0);
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessible(page);
    expect(await page.evaluate(overflow)).toBe(0);
    expect(complaints).toEqual([]);
  });

  for (const name of ['errors', 'settings', 'operations']) {
    testInBrowser(`has tables in ${name} that a phone shows whole`, async () => {
      const { page } = await open(`/docs/${name}`, { viewport: { width: 390, height: 844 } });
      const tables = `[...document.querySelectorAll('table')]`;
      expect(
        await page.evaluate(`${tables}.filter((each) => each.scrollWidth > each.clientWidth).length`),
      ).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    });
  }

  testInBrowser('can be read without scripts', async () => {
    const { page, complaints } = await open('/docs', { javaScriptEnabled: false });
    const text = await page.getByRole('main').innerText();
    expect(text).toContain(`curl ${WRITTEN_ORIGIN}/graphql`);
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('navigation').getByRole('link', { name: 'Querying' }).click();
    await page.getByRole('link', { name: 'Open in GraphiQL' }).first().waitFor();
    expect(complaints).toEqual([]);
  });
});
