import type { Page, Response, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/index.ts';
import type { RunningServer } from '../../../src/server/serve.ts';
import * as driver from '../../graphiql/driver.ts';
import { expectAccessible } from '../../support/accessibility.ts';
import { describeInBrowser, type Visit, visit } from '../../support/browser.ts';
import { serveBuilt } from '../../support/serve.ts';

/** A text that only the answer holds; a subscription has none, since its first event may be a long time coming. */
const EXAMPLES: readonly (readonly [operation: string, answer: string | undefined])[] = [
  ['FindByName', 'D1'],
  ['WhoOwesMost', 'Stichting Beschermd Wonen Emmen'],
  ['TotalsByLabel', '"count": 2369'],
  ['OpenAmountByCity', '"sum"'],
  ['LinesByMonth', '"key": "2024-'],
  ['DeletedCreditCases', 'deletedAt'],
  ['LiveChanges', undefined],
  ['DeclarationLines', 'ACTION_REQUIRED'],
  ['DebtorByNumber', 'bookOpenAmount'],
  ['Companies', 'Zorggroep Noord'],
  ['UnmarkTask', '"completedAt": null'],
  ['MarkMessages', '"count": 1'],
  ['Viewer', 'Zorggroep Noord'],
];
const LINK = new URLSearchParams({ query: '{first:__typename}', variables: '{"a": 1}' });

let running: RunningServer;
let visitor: Visit;
let page: Page;

const serve = (port = '0') => serveBuilt(readConfig({ PORT: port, SHUTDOWN_GRACE_MS: '0' }, []));
const answer = () => page.getByRole('region', { name: 'Response', exact: true });
const table = () => page.getByRole('region', { name: 'Response as a table' });
const cells = (column: number) => table().locator(`tbody td:nth-child(${column})`).allTextContents();
const stored = () => page.evaluate<string>('JSON.stringify(localStorage)');

async function ask(query: string): Promise<void> {
  await driver.overwrite(page, driver.queryPane(page), query);
  // Only with the storing does GraphiQL know which operation it is to run.
  await driver.stores(page, 'query', query);
  await driver.run(page);
}

beforeAll(async () => {
  running = await serve();
  visitor = await visit(`${running.url}#${LINK}`);
  page = visitor.page;
});

afterAll(async () => {
  await page?.context().close();
  await running?.stop();
});

describeInBrowser('GraphiQL in a browser', () => {
  test('opens a link in its own tab, does not run it, and removes it from the URL', async () => {
    await driver.shows(driver.queryPane(page), '{first:__typename}');
    await driver.shows(await driver.openPane(page, 'Variables'), '{"a": 1}');
    expect(page.url()).toBe(running.url);
    expect(await page.getByRole('tab').count()).toBe(2);
    await driver.shows(page.locator('.graphiql-response'), 'The response appears here.');
    await driver.stores(page, 'query', '{first:__typename}');
    await page.getByRole('button', { name: /^Prettify query/ }).click();
    await driver.stores(page, 'query', '{\n  first: __typename\n}');
  });

  test('shows the REST calls below the response, not in it', async () => {
    await driver.openTab(page, 'Debtors');
    await driver.shows(await driver.openPane(page, 'Variables'), '"first": 10');
    await driver.run(page);
    await driver.shows(driver.responsePane(page), 'Noëlle IJzerman');
    await driver.shows(driver.restCalls(page), '1 made of at most 1 · ');
    expect(await driver.restCalls(page).locator('table').isVisible()).toBe(false);
    await driver.openCalls(page);
    await driver.shows(driver.restCalls(page), 'GET /v1/debtors');
    await driver.pickTab(page, 'DebtorByNumber');
    await page.keyboard.press('ControlOrMeta+Enter');
    await driver.shows(driver.responsePane(page), 'creditLimitAmount');
    expect(await page.getByText('"explain"').count()).toBe(0);
    await ask('{ noSuchField }');
    await driver.shows(driver.responsePane(page), 'GRAPHQL_VALIDATION_FAILED');
    await driver.shows(page.locator('.response-advice'), 'Cannot query field "noSuchField"');
    await page.locator('.graphiql-query-editor .squiggly-error').waitFor();
    await driver.shows(driver.restCalls(page), 'none: the operation did not run');
    await driver.openTab(page, 'Debtors');
    await driver.shows(driver.responsePane(page), 'Noëlle IJzerman');
  });

  test('has an example for each capability, which runs unchanged', async () => {
    const isStream = (response: Response) => /event-stream/.test(response.headers()['content-type'] ?? '');
    for (const [operation, text] of EXAMPLES) {
      await driver.pickTab(page, operation);
      if (text !== undefined) {
        await driver.run(page);
        await driver.shows(driver.responsePane(page), text);
        continue;
      }
      await Promise.all([page.waitForResponse(isStream), driver.run(page)]);
      await page.getByRole('button', { name: /^Stop query/ }).click();
      await page.getByRole('button', { name: /^Execute query/ }).waitFor();
    }
    const before = await page.getByRole('tab').count();
    await driver.pickTab(page, 'Companies');
    expect(await page.getByRole('tab').count()).toBe(before);
    await driver.shows(driver.restCalls(page), 'GET /v1/companies');
  });

  test('shows one list as a table, with buttons for other pages and for sorting', async () => {
    await driver.openTab(page, 'Debtors');
    await page.getByLabel('Table').check();
    await driver.shows(table(), 'Rows 1–10.');
    expect(await table().locator('th').allTextContents()).toEqual([
      'debtorNumber',
      'name',
      'bookOpenAmount',
      'labels.name',
      'postalAddress.city',
      'postalAddress.countryCode',
    ]);
    const before = await cells(1);
    await table().getByRole('button', { name: 'Next page' }).press('Enter');
    await driver.shows(await driver.openPane(page, 'Variables'), '"after"');
    await driver.poll(async () => (await cells(1))[0]).not.toBe(before[0]);
    expect(before).not.toContain((await cells(1))[0]);
    await driver.shows(table(), 'Rows 11–20.');
    await table().getByRole('button', { name: 'name', exact: true }).press('Enter');
    const sorted = await cells(2);
    expect(sorted).toEqual(sorted.toSorted((a, b) => a.localeCompare(b)));
    await table().getByRole('button', { name: 'Previous page' }).press('Enter');
    await driver.poll(() => cells(1)).toEqual(before);
    await driver.openTab(page, 'DebtorByNumber');
    expect(await page.getByLabel('Table').isDisabled()).toBe(true);
    await driver.openTab(page, 'Viewer');
    await driver.shows(table(), '3 rows.');
    expect(await page.getByRole('button', { name: 'Download CSV' }).isDisabled()).toBe(true);
  });

  test('builds a query in a tree of fields by keyboard, with undo, and keeps comments', async () => {
    await page.locator('[aria-label="New tab"]').press('Enter');
    await page.getByRole('button', { name: 'Show Fields' }).press('Enter');
    const tree = page.getByRole('region', { name: 'Fields of the query' });
    const toggle = (name: string) => tree.getByRole('checkbox', { name, exact: true }).first().press('Space');
    const showsQuery = (text: string) => driver.stores(page, 'query', text);
    expect(await tree.getByRole('checkbox').first().locator('..').textContent()).toContain('debtors');
    await toggle('debtors');
    await showsQuery('debtors(administrationId: "1001") {\n    nodes {\n      name\n    }\n    pageInfo {');
    await driver.queryPane(page).click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('\n# mine');
    await toggle('where:');
    await showsQuery('where: {}');
    await toggle('name:');
    await toggle('contains:');
    await showsQuery('{name: {contains: ""}}');
    await tree.getByRole('textbox', { name: 'contains' }).fill('jan');
    await toggle('orderBy:');
    await tree.getByRole('combobox', { name: 'field' }).selectOption('NAME');
    await toggle('debtorNumber');
    await showsQuery('where: {name: {contains: "jan"}}, orderBy: [{field: NAME, direction: DESC}]');
    await showsQuery('      name\n      debtorNumber\n    }\n    pageInfo {');
    await expectAccessible(page, { except: driver.NOT_OURS });
    await driver.run(page);
    await driver.shows(table(), ' rows.');
    await toggle('debtors');
    await showsQuery('\n# mine');
    await driver.queryPane(page).click();
    await page.keyboard.press('ControlOrMeta+Z');
    await showsQuery('orderBy: [{field: NAME, direction: DESC}]');
    await page.getByRole('button', { name: 'Hide Fields' }).press('Enter');
  });

  test('downloads the rows of the table, or the whole list, as CSV', async () => {
    await driver.openTab(page, 'DeclarationLines');
    const { name, lines } = await driver.downloadCsv(page, 'These rows');
    expect(name).toBe('declarationLines.csv');
    const [head, ...rows] = lines;
    expect(head).toBe('\uFEFFinternalId,claimStatus,claimResponseCodes,amount,rejectedAmount,createdAt');
    expect(rows.map((line) => line.split(',')[0])).toEqual(await cells(1));
    await driver.shows(answer(), 'Saved 20 rows.');
    const dutch = await driver.downloadCsv(page, 'Whole list, for Excel in Dutch');
    expect(dutch.lines[1]?.split(';')[3]).toMatch(/^-?\d+,\d+$/);
    expect(dutch.lines.length).toBeGreaterThan(21);
    await driver.openTab(page, 'TotalsByLabel');
    await ask('{ debtors(administrationId: "1001") { groups(by: UPDATED_AT_MONTH, first: 3) { key } } }');
    await driver.shows(table(), '3 groups. There may be more');
    expect((await driver.downloadCsv(page, 'These rows')).lines).toHaveLength(4);
  });

  test('saves no groups with their top records, for which CSV has no place', async () => {
    await ask('{ debtors(administrationId: "1001") { groups(by: LANGUAGE_CODE) { key top { name } } } }');
    await driver.shows(table(), 'top.name');
    expect(await page.getByRole('button', { name: 'Download CSV' }).isDisabled()).toBe(true);
  });

  test('shows that a response is of another administration', async () => {
    await driver.openTab(page, 'Debtors');
    await page.getByLabel('Administration').selectOption({ index: 1 });
    await driver.shows(page.locator('.response-advice'), 'This response is of administration 1001.');
    await table().getByRole('button', { name: 'Next page' }).press('Enter');
    await driver.shows(answer(), 'The query names another administration now: run it first.');
    await driver.shows(await driver.openPane(page, 'Variables'), '"after": null');
    const { lines } = await driver.downloadCsv(page, 'These rows');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(await cells(1));
    await page.getByLabel('Administration').selectOption({ index: 0 });
    await driver.poll(() => page.locator('.response-advice').count()).toBe(0);
  });

  test('stops the operation when a tab opens, and does not show its response there', async () => {
    await driver.openTab(page, 'Debtors');
    const asked = new Promise<Route>((hold) => void page.route('**/graphql', hold, { times: 1 }));
    await driver.run(page);
    await asked;
    await page.locator('[aria-label="New tab"]').press('Enter');
    await page.getByRole('button', { name: /^Execute query/ }).waitFor();
    await driver.shows(page.locator('.graphiql-response'), 'The response appears here.');
  });

  test('stores operations in its history, but neither headers nor tokens', async () => {
    await driver.overwrite(page, await driver.openPane(page, 'Headers'), '{"X-Typed": "unkept"}');
    await ask('query Mine { viewer { clientId } }');
    await driver.shows(driver.responsePane(page), 'demo-application');
    await driver.stores(page, 'queries', 'query Mine');
    await driver.stores(page, 'tabState', 'query Mine');
    expect(await stored()).not.toMatch(/unkept|demo-token/);
    await page.reload();
    await driver.shows(driver.queryPane(page), 'query Mine');
    await page.getByRole('button', { name: 'Show History' }).click();
    const history = page.getByRole('region', { name: 'History', exact: true });
    await driver.shows(history, 'Mine');
    await history.getByText('DeclarationLines').first().click();
    await driver.shows(driver.queryPane(page), 'query DeclarationLines');
    await page.getByRole('button', { name: 'Hide History' }).click();
  });

  test('shows one sentence while the gateway is down', async () => {
    const { port } = new URL(running.url);
    const complaints = visitor.complaints.length;
    await running.stop();
    await driver.run(page);
    await driver.shows(driver.responsePane(page), 'The gateway does not respond. Check that it is running');
    expect(await driver.responsePane(page).textContent()).not.toContain('stack');
    await driver.shows(driver.status(page), 'The gateway does not respond.');
    running = await serve(port);
    await driver.run(page);
    await driver.shows(driver.responsePane(page), 'declarationLines');
    await driver.shows(driver.status(page), 'Company: Zorggroep Noord B.V.');
    // Ignore errors of the browser while the gateway is down, and of editors that load late.
    visitor.complaints.splice(complaints);
  });
});

describeInBrowser('GraphiQL in a window', () => {
  test('estimates the REST calls of a query while it is typed', async () => {
    await page.locator('[aria-label="New tab"]').press('Enter');
    await driver.overwrite(page, driver.queryPane(page), '{ companies { nodes { name } } }');
    await driver.shows(page.locator('output'), 'at most 1 of 50 REST calls');
    await driver.overwrite(page, driver.queryPane(page), '{ none }');
    await driver.shows(page.locator('output'), 'Fix the query to see its cost');
  });

  const isCut = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN;

  test.each([390, 1024, 1440])('shows everything at %d pixels, and is accessible', async (width) => {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 768 });
    await page.reload();
    await driver.pickTab(page, 'Debtors');
    await driver.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await page.getByRole('heading', { name: 'receivables-graphql' }).isVisible()).toBe(true);
    expect(await top('.graphiql-response')).toBeLessThan(700);
    const paneWidth = async () => (await page.locator('.graphiql-query-editor').boundingBox())?.width;
    const before = await paneWidth();
    await driver.run(page);
    await driver.openCalls(page);
    await driver.shows(driver.restCalls(page), 'GET /v1/debtors');
    await page.getByLabel('Table').check();
    await table().waitFor();
    expect(await paneWidth()).toBe(before);
    await page.getByRole('button', { name: 'Download CSV' }).press('Enter');
    for (const item of await page.getByRole('menuitem').all())
      expect(await item.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(false);
    await page.keyboard.press('Escape');
    expect(await isCut('.credential-bar [role="status"]')).toBe(false);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page
        .locator(`.monaco-editor.${colorScheme === 'dark' ? 'vs-dark' : 'vs'}`)
        .first()
        .waitFor();
      await expectAccessible(page, { except: driver.NOT_OURS });
    }
  });

  test('opens no tab until its editors have loaded', async () => {
    const tabs = await page.getByRole('tab').count();
    const asked = new Promise<Route>((hold) => void page.route('**/monaco-editor-*.js', hold, { times: 1 }));
    await page.reload();
    await page.locator('[aria-label="New tab"]').press('Enter');
    await (await asked).continue();
    await driver.shows(driver.queryPane(page), 'Debtors');
    expect(await page.getByRole('tab').count()).toBe(tabs);
    await driver.pickTab(page, 'Viewer');
  });

  test('causes no browser errors and no requests to other hosts', () => {
    // The browser logs a refused operation, which is a response of status 400.
    const unexpected = visitor.complaints.filter((complaint) => !complaint.includes('400 (Bad Request)'));
    expect(unexpected).toEqual([]);
    expect(visitor.strayRequests).toEqual([]);
  });
});
