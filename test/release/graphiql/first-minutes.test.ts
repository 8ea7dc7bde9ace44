import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { readConfig } from '../../../src/config/index.ts';
import type { Running } from '../../../src/server/serve.ts';
import * as driver from '../../graphiql/driver.ts';
import { expectAccessible } from '../../support/accessibility.ts';
import { testInBrowser, type Visit, visit } from '../../support/browser.ts';
import { serveBuilt } from '../../support/serve.ts';

// One walk through what a newcomer meets: a link, hints, a history, a phone, and a gateway that goes away.

const LINKED = 'query First { viewer { clientId } }\nquery Second { companies { nodes { name } } }';
/** Sums what moved by itself. Chromium does not count what happens within half a second of an input. */
const WATCH_SHIFTS = `window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifts.push(value);
  }).observe({ type: 'layout-shift', buffered: true });`;

let running: Running;
let visitor: Visit;
let page: Page;

beforeAll(async () => {
  running = await serveBuilt(readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0' }, []));
  const parameters = new URLSearchParams({ query: LINKED, variables: '{"a": 1}', operationName: 'Second' });
  visitor = await visit(`${running.url}#${parameters}`);
  page = visitor.page;
}, 30_000);

afterAll(async () => {
  await page?.context().close();
  await running?.stop();
});

const historyPanel = () => page.getByRole('region', { name: 'History', exact: true });
const stored = () => page.evaluate<string>("localStorage.getItem('graphiql:history') ?? ''");

testInBrowser('a link opens in a tab of its own, is not run, and leaves the address', async () => {
  await driver.shows(driver.queryPane(page), 'query Second');
  await driver.shows(await driver.openPane(page, 'Variables'), '{"a": 1}');
  expect(page.url()).toBe(running.url);
  await driver.stores(page, 'tabState', '"title":"Second"');
  expect(await page.getByRole('tab').count()).toBe(2);
  expect(await stored()).toBe('');

  await page.evaluate(`location.hash = '#query=%7B+viewer+%7B+clientId+%7D+%7D'`);
  await driver.shows(driver.queryPane(page), '{ viewer { clientId } }');
  expect(page.url()).toBe(running.url);
  expect(await page.getByRole('tab').count()).toBe(3);
});

testInBrowser('a tab is copied as a link, without the token', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await driver.choose(page, 'Copy as', 'Link to this page');
  await driver.shows(page.getByRole('region', { name: 'Answer', exact: true }), 'without a token');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `${running.url}#query=%7B+viewer+%7B+clientId+%7D+%7D`,
  );
});

testInBrowser('an empty tab says how to begin', async () => {
  await page.getByRole('button', { name: 'New tab' }).click();
  await driver.shows(page.locator('.graphiql-query-editor'), 'pick one from “Examples”');
  await driver.shows(page.locator('.graphiql-response'), 'The answer shows here.');
  await driver.choose(page, 'Copy as', 'cURL');
  await driver.shows(page.getByRole('region', { name: 'Answer', exact: true }), 'Write a query first.');
});

testInBrowser('the examples are searched and opened by keyboard, and run without a click', async () => {
  await page.getByRole('button', { name: 'Examples' }).press('Enter');
  const search = page.getByLabel('Search the examples');
  await search.fill('nonesuch');
  await driver.shows(page.locator('#examples'), 'Nothing found.');
  await search.fill('viewer');
  await search.press('Enter');
  await driver.shows(driver.queryPane(page), 'query Viewer');
  await driver.stores(page, 'query', 'query Viewer');
  await page.keyboard.press('ControlOrMeta+Enter');
  await driver.shows(driver.responsePane(page), 'Zorggroep Noord');
  await page.getByRole('tab').filter({ hasText: 'Viewer' }).getByLabel('Close Tab').click();
  await page.evaluate("localStorage.removeItem('graphiql:history')");
});

testInBrowser('what was run is in the history, is found, and opens in its tab', async () => {
  await driver.openTab(page, 'Debtors');
  await driver.run(page);
  await driver.shows(driver.responsePane(page), '"debtors"');
  await driver.openTab(page, 'TotalsByLabel');
  await driver.run(page);
  await driver.shows(driver.responsePane(page), '"groups"');
  await page.getByRole('button', { name: 'Show History' }).click();
  const lines = historyPanel().getByRole('listitem');
  expect(await lines.locator('b').allTextContents()).toEqual(['TotalsByLabel', 'Debtors']);
  await historyPanel().getByLabel('Search the history').fill('postaladdress');
  await driver.poll(() => lines.locator('b').allTextContents()).toEqual(['Debtors']);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, { except: driver.NOT_OURS });
  }
  await lines.getByRole('button', { name: /^Debtors/ }).press('Enter');
  await driver.shows(driver.queryPane(page), 'query Debtors');
  expect(await page.getByRole('tab').count()).toBe(5);
  expect(await stored()).not.toMatch(/demo-token|Bearer|headers/);
  await page.getByRole('button', { name: 'Hide History' }).click();
});

testInBrowser(
  'without a token the page says what to do here, above the answer and in the strip',
  async () => {
    await driver.give(page, 'Access token', '');
    await driver.shows(driver.status(page), 'Paste an access token into the box');
    await driver.run(page);
    await driver.shows(page.locator('.answer-advice'), 'Paste an access token into the box at the top.');
    await driver.shows(driver.status(page), 'Paste an access token into the box: every tab sends it.');
    expect(await driver.responsePane(page).textContent()).not.toContain('graphiql');
    await driver.give(page, 'Access token', 'demo-token-company-a');
    await driver.shows(driver.status(page), 'Zorggroep Noord B.V.');
  },
);

testInBrowser('nothing moves by itself on a window of 1024 pixels, and the name is not cut', async () => {
  await page.setViewportSize({ width: 1024, height: 900 });
  await page.addInitScript(WATCH_SHIFTS);
  await page.reload();
  await driver.shows(driver.queryPane(page), 'query Debtors');
  await driver.shows(driver.status(page), 'Zorggroep Noord B.V.');
  await driver.run(page);
  await driver.shows(driver.restCalls(page), 'made');
  const shifts = await page.evaluate<number[]>('shifts');
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.005);
  expect(await isNameCut()).toBe(false);
});

/** Whether the box of the administration is narrower than what it shows. */
async function isNameCut(): Promise<boolean | undefined> {
  const [cut] = await page.getByLabel('Administration').evaluateAll((elements) =>
    elements.map((element) => {
      const { clientWidth } = element;
      Object.assign(element.style, {
        width: 'max-content',
        minWidth: '0',
        maxWidth: 'none',
        alignSelf: 'start',
      });
      const needed = element.clientWidth;
      element.removeAttribute('style');
      return needed > clientWidth;
    }),
  );
  return cut;
}

testInBrowser(
  'on a phone, names are whole, a run scrolls to the answer, and a path breaks between words',
  async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await isNameCut()).toBe(false);
    await driver.pickTab(page, 'DeclarationLines');
    await page.evaluate('scrollTo(0, 0)');
    await driver.run(page);
    await driver.shows(driver.restCalls(page), 'made');
    const top = async () => (await page.locator('.graphiql-response').boundingBox())?.y ?? Number.NaN;
    // Below the folded REST calls there is nothing to scroll to.
    await driver.poll(top).toBeLessThan(400);
    expect(await top()).toBeGreaterThanOrEqual(-1);
    await driver.openCalls(page);
    const calls = async () => (await driver.restCalls(page).boundingBox())?.y;
    await driver.poll(calls).toBeLessThan(844 / 2);
    const words = await driver
      .restCalls(page)
      .locator('.path')
      .first()
      .evaluate((cell) => {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        const lines: number[] = [];
        while (walker.nextNode()) {
          const range = document.createRange();
          range.selectNodeContents(walker.currentNode);
          lines.push(range.getClientRects().length);
        }
        return lines;
      });
    expect(words.filter((lines) => lines > 1)).toEqual([]);
  },
);

testInBrowser('with the gateway gone, one sentence says so, until it is back', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const { port } = new URL(running.url);
  await running.stop();
  await driver.run(page);
  await driver.shows(driver.responsePane(page), 'The gateway does not answer. Check that it is running');
  expect(await driver.responsePane(page).textContent()).not.toContain('stack');
  await driver.shows(driver.status(page), 'The gateway does not answer.');
  running = await serveBuilt(readConfig({ PORT: port, SHUTDOWN_GRACE_MS: '0' }, []));
  await driver.run(page);
  await driver.shows(driver.responsePane(page), 'declarationLines');
  await driver.shows(driver.status(page), 'Zorggroep Noord B.V.');
  visitor.complaints.splice(0);
});

testInBrowser('in all of this the browser asked no other host', () => {
  expect(visitor.strayRequests).toEqual([]);
});
