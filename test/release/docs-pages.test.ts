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
    await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' });
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    expect(await copied()).toBe(command?.replaceAll(WRITTEN_ORIGIN, origin));
    // The first one is called otherwise for a moment.
    await copy.first().press('Enter');
    await eventually(async () => expect(await copied()).toBe(answer));
    expect(complaints).toEqual([]);
  });

  testInBrowser('copies where browsers offer no clipboard, such as over plain HTTP', async () => {
    const { page } = await open('/docs', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('not here'))`);
    await page.getByRole('button', { name: 'Copy' }).nth(1).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const [, answer] = blocksOf('docs/getting-started.md').map(({ text }) => text);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(answer);
  });

  testInBrowser('is searched by the keyboard, with an index that is loaded then', async () => {
    const { page, complaints, strayRequests } = await open('/docs/scaling');
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    const box = page.getByRole('searchbox');
    await page.keyboard.press('/');
    await page.keyboard.type('list_too_long');
    await results(page).first().waitFor();
    expect(loaded).toEqual(['/docs/search.json']);
    expect(await box.inputValue()).toBe('list_too_long');
    expect(await results(page).first().innerText()).toMatch(/^Errors › Codes\nLIST_TOO_LONG\n/);
    // A slash that is typed is a slash.
    await page.keyboard.type('/');
    await page.getByText('Nothing found for “list_too_long/”.').last().waitFor();
    await page.keyboard.press('Backspace');
    await results(page).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await results(page).count()).toBe(0);
    await page.keyboard.press('End');
    await page.keyboard.type(' among');
    await results(page).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/docs/errors#LIST_TOO_LONG`);
    expect(await page.locator('tr:target').innerText()).toContain('LIST_TOO_LONG');
    expect(complaints).toEqual([]);
    expect(strayRequests).toEqual([]);
  });

  for (const width of [1440, 390]) {
    testInBrowser(`gives back the place where a key led to the search, at ${width} px`, async () => {
      const { page } = await open('/docs/files#to-a-file-by-a-command', {
        viewport: { width, height: 844 },
      });
      const place = () => page.evaluate<number>('scrollY');
      const before = await place();
      expect(before).toBeGreaterThan(1_000);
      await page.keyboard.press('/');
      await page.keyboard.type('debtors');
      await results(page).first().waitFor();
      if (width === 1440) expect(await place()).toBe(before);
      await page.keyboard.press('Escape');
      expect(await place()).toBe(before);
    });
  }

  testInBrowser('marks the section that is read in the navigation', async () => {
    const { page } = await open('/docs/live-changes#changes-by-a-command');
    const current = page.locator('nav [aria-current="location"]');
    await expect.poll(() => current.allInnerTexts()).toEqual(['Changes by a command']);
    await page.evaluate('scrollTo(0, 0)');
    await expect.poll(() => current.count()).toBe(0);
  });

  testInBrowser('finds what is on the same page, and closes the results', async () => {
    const { page } = await open('/docs/querying');
    await page.getByRole('searchbox').fill('endless scroll');
    await results(page).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/docs/querying#endless-scroll`);
    expect(await results(page).count()).toBe(0);
  });

  testInBrowser('keeps the results while they are used, and shows them again', async () => {
    const { page } = await open('/docs');
    await page.getByRole('searchbox').fill('debtors');
    await results(page).first().waitFor();
    const panel = page.locator('.results');
    // On its edge, where there is nothing but the panel.
    await panel.click({ position: { x: 3, y: 3 } });
    expect(await results(page).count()).toBeGreaterThan(0);
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
    await page.getByText('The search does not work now').last().waitFor();
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

  for (const name of ['errors', 'operations', 'design']) {
    testInBrowser(`has tables in ${name} that a phone shows whole`, async () => {
      const { page } = await open(`/docs/${name}`, { viewport: { width: 390, height: 844 } });
      const tables = `[...document.querySelectorAll('.table')]`;
      expect(
        await page.evaluate(`${tables}.filter((each) => each.scrollWidth > each.clientWidth).length`),
      ).toBe(0);
      const widths = `[...document.querySelectorAll('td')].map((cell) => cell.offsetWidth).filter(Boolean)`;
      expect(await page.evaluate(`Math.min(...${widths})`)).toBeGreaterThanOrEqual(300);
      const label = `getComputedStyle(document.querySelector('td:nth-child(2)[data-head]'), '::before').content`;
      expect(await page.evaluate(label)).toMatch(/: "$/);
      await page.getByText('On this page').click();
      expect(await page.locator('.contents a').first().isVisible()).toBe(true);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    });
  }

  testInBrowser('does not move when the script adds its parts', async () => {
    const { page } = await open('/docs');
    const places = `JSON.stringify([...document.querySelectorAll('header, .places a, .bar, .bar a, main, h2, nav a')]
      .map((each) => { const { x, y } = each.getBoundingClientRect(); return [x, y]; }))`;
    const withParts = await page.evaluate(places);
    const gaps = `[...document.querySelectorAll('.bar a')].map((link) =>
      link.nextElementSibling.getBoundingClientRect().left - link.getBoundingClientRect().right)`;
    expect(await page.evaluate(`Math.min(...${gaps})`)).toBeGreaterThan(0);
    await page.evaluate(`document.querySelector('.search').hidden = true;
      for (const button of document.querySelectorAll('.bar button')) button.remove()`);
    expect(await page.evaluate(places)).toBe(withParts);
  });

  testInBrowser('can be read without scripts', async () => {
    const { page, complaints } = await open('/docs', { javaScriptEnabled: false });
    const text = await page.getByRole('main').innerText();
    expect(text).toContain(`curl ${WRITTEN_ORIGIN}/graphql`);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    await page.getByRole('navigation').getByRole('link', { name: 'Querying' }).click();
    await page.getByRole('link', { name: 'Open in GraphiQL' }).first().waitFor();
    expect(complaints).toEqual([]);
  });
});
