import { expect, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { testInBrowser, visit } from '../support/browser.ts';
import { BEARER } from '../support/gateway.ts';
import { serveBuilt } from '../support/serve.ts';

// The pages that people see, but for GraphiQL, in a browser.

const QUERY = '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }';

async function start() {
  const running = await serveBuilt(readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0' }, []));
  onTestFinished(running.stop);
  return running;
}

async function query(url: string): Promise<void> {
  const headers = { ...BEARER, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: QUERY }) });
  await response.text();
}

testInBrowser(
  'the numbers of the front page are kept up to date, as long as the gateway answers',
  async () => {
    const { url, stop } = await start();
    const { page, complaints } = await visit(new URL('/', url).href);
    onTestFinished(() => page.context().close());
    const panel = page.getByRole('region', { name: /^Activity in the last \d+ s$/ });
    // As when the page comes into sight: it does not wait for the next few seconds to pass.
    const refreshed = async () => {
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
      return panel.innerText();
    };
    expect(await panel.innerText()).toMatch(/Cache hits\s+–\s+Open/);
    await query(url);
    await expect.poll(refreshed, { timeout: 20_000 }).toContain('0 %');
    await query(url);
    await expect.poll(refreshed, { timeout: 20_000 }).toContain('50 %');
    expect(complaints).toEqual([]);
    await stop();
    await expect.poll(refreshed, { timeout: 20_000 }).toContain('The gateway does not answer');
  },
);

testInBrowser(
  'the front page is styled, accessible and leads to GraphiQL, with nothing to complain of',
  async () => {
    const { url } = await start();
    const { page, complaints, strayRequests } = await visit(new URL('/', url).href);
    onTestFinished(() => page.context().close());
    const width = await page.evaluate('getComputedStyle(document.querySelector("main")).maxWidth');
    expect(width).toBe('736px');
    const lefts = `[...document.querySelectorAll('li span')].map((element) => element.offsetLeft)`;
    expect(new Set(Object(await page.evaluate(lefts))).size).toBe(1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await page.getByRole('link', { name: 'Open GraphiQL' }).click();
    await page.locator('.graphiql-query-editor').waitFor();
    expect(complaints).toEqual([]);
    expect(strayRequests).toEqual([]);
  },
  30_000,
);

testInBrowser(
  'the documentation is readable on any screen, by anyone, with nothing to complain of',
  async () => {
    const { url } = await start();
    const { page, complaints, strayRequests } = await visit(new URL('/docs/credentials', url).href);
    onTestFinished(() => page.context().close());
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    await page.getByRole('navigation').getByRole('link', { name: 'Design' }).click();
    await page.getByRole('heading', { name: 'The path of a query' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Errors' }).click();
    await page.getByRole('heading', { name: 'Codes', exact: true }).waitFor();
    expect(complaints).toEqual([]);
    expect(strayRequests).toEqual([]);
  },
  30_000,
);

testInBrowser(
  'the page for a wrong address is accessible, at any width, and leads to the front page',
  async () => {
    const { url } = await start();
    const { page } = await visit(new URL('/nothing', url).href);
    onTestFinished(() => page.context().close());
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    await page.getByRole('link', { name: '/', exact: true }).click();
    await page.getByRole('heading', { name: 'receivables-graphql' }).waitFor();
  },
);
