import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { blocksOf } from '../docs/pages.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { describeInBrowser, testInBrowser, type Visit, visit } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { serveBuilt } from '../support/serve.ts';

const WRITTEN_ORIGIN = 'http://localhost:4000';
const running = await serveBuilt(readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0' }, []));
afterAll(running.stop);
const { origin } = new URL(running.url);

async function open(path: string, options?: BrowserContextOptions): Promise<Visit['page']> {
  const { page, complaints, strayRequests } = await visit(origin + path, options);
  onTestFinished(async () => {
    await page.context().close();
    expect([complaints, strayRequests]).toEqual([[], []]);
  });
  return page;
}

/** On a wide screen and on that of a phone, in both colour schemes. */
async function expectReadable(page: Visit['page']): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
}

testInBrowser('the front page is styled, accessible and links to GraphiQL', async () => {
  const page = await open('/');
  expect(await page.evaluate('getComputedStyle(document.body).maxWidth')).toBe('736px');
  await expectReadable(page);
  await page.setViewportSize({ width: 1440, height: 844 });
  await page.getByRole('link', { name: '/graphql', exact: true }).click();
  await page.locator('.graphiql-query-editor').waitFor();
});

describeInBrowser('the documentation', () => {
  testInBrowser('is readable and accessible on any screen, also with search results', async () => {
    const page = await open('/docs/credentials');
    await expectReadable(page);
    // On a phone, the page comes before the menu.
    expect((await page.locator('h1').boundingBox())?.y).toBeLessThan(300);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    await page.getByRole('searchbox').fill('debtors');
    await page.getByRole('search').getByRole('link').first().waitFor();
    await expectReadable(page);
    // A wide table scrolls, and the page does not.
    await page.goto(`${origin}/docs/settings`);
    await expectReadable(page);
  });

  testInBrowser('contains the address in the browser, also in copied text', async () => {
    const page = await open('/docs', { permissions: ['clipboard-read', 'clipboard-write'] });
    const text = await page.getByRole('main').innerText();
    expect(text).toContain(`curl ${origin}/graphql`);
    expect(text).not.toContain(WRITTEN_ORIGIN);
    const [command] = blocksOf('docs/getting-started.md').map(({ text }) => text);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await eventually(async () => expect(await copied()).toBe(command?.replaceAll(WRITTEN_ORIGIN, origin)));
  });

  testInBrowser('can be searched by keyboard, and loads its index only then', async () => {
    const page = await open('/docs/scaling');
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    const results = page.getByRole('search').getByRole('link');
    await page.keyboard.press('/');
    await page.keyboard.type('list_too_long');
    await results.first().waitFor();
    expect(loaded.filter((path) => path !== '/docs/icon.svg')).toEqual(['/docs/search.json']);
    expect(await results.first().innerText()).toMatch(/^Errors › LIST_TOO_LONG\n/);
    await page.keyboard.type(' qqqq');
    await page.getByText('Nothing found for “list_too_long qqqq”.').waitFor();
    await page.getByRole('searchbox').fill('list_too_long among');
    await results.first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/docs/errors#LIST_TOO_LONG`);
    expect(await page.locator('tr:target').innerText()).toContain('LIST_TOO_LONG');
  });

  testInBrowser('is readable without scripts', async () => {
    const page = await open('/docs', { javaScriptEnabled: false });
    expect(await page.getByRole('main').innerText()).toContain(`curl ${WRITTEN_ORIGIN}/graphql`);
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('navigation').getByRole('link', { name: 'Querying' }).click();
    await page.getByRole('link', { name: 'Open in GraphiQL' }).first().waitFor();
  });
});
