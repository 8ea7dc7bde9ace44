import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/index.ts';
import type { Running } from '../../../src/server/serve.ts';
import * as driver from '../../graphiql/driver.ts';
import { expectAccessible } from '../../support/accessibility.ts';
import { describeInBrowser, testInBrowser, type Visit, visit } from '../../support/browser.ts';
import { serveBuilt } from '../../support/serve.ts';

// What this page adds to GraphiQL, over the embedded service.

const ALL_DEBTORS =
  'query All { debtors(administrationId: "1001", first: 1200) { pageInfo { hasNextPage } } }';

let running: Running;
let visitor: Visit;
let page: Page;

beforeAll(async () => {
  const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0' }, []);
  running = await serveBuilt(config);
  visitor = await visit(running.url);
  page = visitor.page;
  await driver.shows(driver.queryPane(page), 'Debtors');
}, 30_000);

afterAll(async () => {
  await page?.context().close();
  await running?.stop();
});

describeInBrowser('the REST calls', () => {
  const inTheAnswer = () => page.getByLabel('raw answer');

  test('are folded below the answer, and in the answer only if asked for', async () => {
    await driver.pickTab(page, 'MarkMessages');
    await driver.run(page);
    await driver.shows(driver.restCalls(page), '1 made');
    expect(await driver.restCalls(page).textContent()).not.toContain('PATCH');
    await driver.openCalls(page);
    await driver.shows(driver.restCalls(page), 'PATCH /v1/messages');
    expect(await driver.responsePane(page).textContent()).not.toMatch(/explain|cost/);

    await inTheAnswer().check();
    await driver.shows(driver.responsePane(page), '"explain"');
    await driver.shows(driver.responsePane(page), '"cost"');
    await inTheAnswer().uncheck();
    await driver.poll(() => driver.responsePane(page).textContent()).not.toContain('explain');
  });

  test('show the body of a write as JSON', async () => {
    const body =
      '{"administration_id":"1001","messages":[{"id":"500028","read":true},{"id":"unknown","read":true}]}';
    await driver.shows(driver.restCalls(page), `body ${body}`);
  });

  test('are none for an operation that was refused, whether they are to be in the answer or not', async () => {
    await page.getByRole('button', { name: 'New tab' }).click();
    await driver.overwrite(page, driver.queryPane(page), '{ noSuchField }');
    await driver.run(page);
    await driver.shows(driver.responsePane(page), 'GRAPHQL_VALIDATION_FAILED');
    await driver.shows(driver.restCalls(page), 'none: refused before it ran');
    await inTheAnswer().check();
    await driver.shows(driver.restCalls(page), 'none: refused before it ran');
    await driver.shows(driver.responsePane(page), 'GRAPHQL_VALIDATION_FAILED');
    await inTheAnswer().uncheck();
  });

  test('of a walk through pages are one line, which opens', async () => {
    await driver.overwrite(page, driver.queryPane(page), ALL_DEBTORS);
    await driver.run(page);
    const pages = page.getByRole('button', { name: '3 pages' });
    await pages.waitFor();
    await driver.shows(driver.restCalls(page).getByRole('row').nth(1), '1200');
    expect(await driver.restCalls(page).getByText('cursor').count()).toBe(0);
    await pages.click();
    await driver.poll(() => driver.restCalls(page).getByText('cursor').count()).toBe(2);
  });

  test('are still there for a tab that one returns to', async () => {
    await driver.openTab(page, 'MarkMessages');
    await driver.shows(driver.restCalls(page), 'PATCH /v1/messages');
  });
});

describeInBrowser('an answer', () => {
  const answer = () => page.getByRole('region', { name: 'Answer', exact: true });
  const table = () => page.getByRole('region', { name: 'Answer as a table' });
  const as = (view: 'JSON' | 'Table') => answer().getByRole('button', { name: view });
  const columnTexts = (column: number) => table().locator(`tbody td:nth-child(${column})`).allTextContents();

  test('with one list is shown as a table, by keyboard, and its columns are ordered', async () => {
    await driver.openTab(page, 'DeclarationLines');
    expect(await as('Table').isDisabled()).toBe(true);
    await driver.run(page);
    await as('Table').press('Enter');
    await table().waitFor();
    expect(await driver.responsePane(page).isVisible()).toBe(false);
    expect(await table().locator('th').allTextContents()).toEqual([
      'internalId',
      'claimStatus',
      'claimResponseCodes',
      'amount',
      'rejectedAmount',
      'createdAt',
    ]);
    const given = await columnTexts(4);
    expect(given).toHaveLength(20);
    const amount = table().getByRole('columnheader', { name: 'amount', exact: true });
    const alignment = "getComputedStyle(document.querySelector('.answer-table td:nth-child(4)')).textAlign";
    expect(await page.evaluate(alignment)).toBe('right');
    const sorted = given.toSorted((one, other) => Number(one) - Number(other));
    await amount.getByRole('button').press('Enter');
    expect(await columnTexts(4)).toEqual(sorted);
    expect(await amount.getAttribute('aria-sort')).toBe('ascending');
    await amount.getByRole('button').press('Enter');
    expect(await columnTexts(4)).toEqual(sorted.toReversed());
    await amount.getByRole('button').press('Enter');
    expect(await columnTexts(4)).toEqual(given);
  });

  test.each([375, 1024, 1440])(
    'as a table leaves the panes as they are on a window of %d pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      const paneSize = async () => {
        const { width, height } = (await page.locator('.graphiql-response').boundingBox()) ?? {};
        return { width, height };
      };
      await driver.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await as('JSON').click();
      await driver.shows(driver.responsePane(page), 'declarationLines');
      const before = await paneSize();
      await as('Table').click();
      await table().waitFor();
      expect(await paneSize()).toEqual(before);
      expect((await table().boundingBox())?.height).toBeGreaterThan(90);
    },
  );

  test('as a table has a shade over its rows alone, while there are more columns', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const shade = `getComputedStyle(document.querySelector('.answer-table'), '::after')`;
    const height = "getComputedStyle(document.querySelector('.answer-table table')).height";
    await driver.poll(() => page.evaluate(`${shade}.opacity`)).toBe('1');
    expect(await page.evaluate(`${shade}.height`)).toBe(await page.evaluate(height));
    await page.evaluate("document.querySelector('.answer-table').scrollLeft = 9999");
    await driver.poll(() => page.evaluate(`Number(${shade}.opacity)`)).toBeLessThan(0.1);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('is saved as CSV, by the same document with the same credentials', async () => {
    const [download, request] = await Promise.all([
      page.waitForEvent('download'),
      page.waitForRequest('**/graphql.csv?bom=1'),
      driver.choose(page, 'Download CSV', 'These rows'),
    ]);
    expect(download.suggestedFilename()).toBe('declarationLines.csv');
    const text = await readFile(await download.path(), 'utf8');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe('\uFEFFinternalId,claimStatus,claimResponseCodes,amount,rejectedAmount,createdAt');
    expect(lines.map((line) => line.split(',')[0])).toEqual(await columnTexts(1));
    expect(request.postDataJSON()).toMatchObject({
      operationName: 'DeclarationLines',
      variables: { administrationId: '1001', claimStatus: 'ACTION_REQUIRED' },
    });
    expect(await request.headerValue('authorization')).toBe('Bearer demo-token-company-a');
    await driver.shows(answer(), 'Saved 20 rows of administration 1001. The query asks for “first: 20”');
  });

  test('is saved as a whole list, for Excel in Dutch', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      driver.choose(page, 'Download CSV', 'Whole list, for Excel in Dutch'),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toBe('\uFEFFinternalId;claimStatus;claimResponseCodes;amount;rejectedAmount;createdAt');
    expect(lines[1]?.split(';')[3]).toMatch(/^-?\d+,\d+$/);
    expect(lines.length).toBeGreaterThan(21);
    await driver.shows(answer(), `Saved ${lines.length - 1} rows of administration 1001.`);
  });

  test('tells how many rows it has, and what follows is one press away', async () => {
    await driver.shows(table(), '20 rows. A column head orders these rows');
    await driver.openTab(page, 'Debtors');
    await driver.run(page);
    await driver.shows(table(), '10 rows.');
    const before = await columnTexts(1);
    await table().getByRole('button', { name: 'Next page' }).press('Enter');
    await driver.shows(await driver.openPane(page, 'Variables'), '"after"');
    await driver.poll(async () => (await columnTexts(1)).length).toBe(10);
    expect(before).not.toContain((await columnTexts(1))[0]);
    const restore = page.getByRole('button', { name: 'Restore the example' });
    await restore.click();
    // GraphiQL stores what an editor shows a moment later: a tab that is left before then keeps its old text.
    await restore.waitFor({ state: 'detached' });
    await driver.openTab(page, 'DeclarationLines');
  });

  test('that was asked for another administration says so', async () => {
    await page.getByLabel('Administration').selectOption({ index: 1 });
    await driver.shows(page.locator('.answer-advice'), 'This answer is of administration 1001');
    await driver.openTab(page, 'Debtors');
    await driver.shows(table(), '10 rows.');
    // Its cursor is of the other administration.
    expect(await table().getByRole('button', { name: 'Next page' }).count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      driver.choose(page, 'Download CSV', 'These rows'),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(await columnTexts(1));
    await driver.shows(answer(), 'Saved 10 rows of administration 1001.');
    await driver.shows(answer(), 'They are of the answer shown: the query has changed since.');
    await driver.openTab(page, 'DeclarationLines');
    await page.getByLabel('Administration').selectOption({ index: 0 });
    await driver.poll(() => page.locator('.answer-advice').count()).toBe(0);
  });

  test('of groups tells that there may be more, and is saved as it is shown, without totals', async () => {
    await driver.openTab(page, 'TotalsByLabel');
    const query =
      'query TotalsByLabel { debtors(administrationId: "1001") { totals { count } groups(by: NAME) { key } } }';
    await driver.overwrite(page, driver.queryPane(page), query);
    await driver.run(page);
    await driver.shows(table(), '100 rows. There may be more groups');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      driver.choose(page, 'Download CSV', 'These rows'),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(101);
    await driver.shows(
      answer(),
      'Saved 100 rows of administration 1001. Without “first” these are the first 100',
    );
    await driver.pickTab(page, 'DeclarationLines');
  });

  test('that is no list is not a table, and cannot be saved, which is told', async () => {
    await driver.openTab(page, 'DebtorByNumber');
    await driver.run(page);
    // The table is still chosen, for answers that can be one.
    await driver.shows(driver.responsePane(page), 'bookOpenAmount');
    expect(await as('Table').isDisabled()).toBe(true);
    await driver.choose(page, 'Download CSV', 'These rows');
    await driver.shows(answer(), '`debtor` has');
    await driver.openTab(page, 'DeclarationLines');
    await table().waitFor();
  });

  test('has a request that is copied as a command, without the token', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await driver.choose(page, 'Copy as', 'cURL');
    await driver.shows(answer(), 'Copied. Set $TOKEN in the shell first.');
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain(`curl '${running.url}' `);
    expect(command).toContain(`-H 'Authorization: Bearer '"$TOKEN"`);
    expect(command).toContain('query DeclarationLines(');
    expect(command).not.toContain('demo-token');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('demo-token');
    await expectAccessible(page, { except: driver.NOT_OURS });
    await as('JSON').click();
  });
});

describeInBrowser('an example', () => {
  const restore = () => page.getByRole('button', { name: 'Restore the example' });

  test('that was edited, its variables too, is restored, which can be undone', async () => {
    await driver.openTab(page, 'Debtors');
    expect(await restore().count()).toBe(0);
    const variables = await driver.openPane(page, 'Variables');
    await driver.overwrite(page, variables, '{"administrationId": "1001"}');
    await driver.append(page, driver.queryPane(page), '# mine');
    await restore().click();
    await driver.shows(variables, '"first": 10');
    await driver.poll(() => driver.queryPane(page).textContent()).not.toContain('mine');
    await restore().waitFor({ state: 'detached' });

    await variables.click();
    await page.keyboard.press('ControlOrMeta+Z');
    await driver.shows(variables, '{"administrationId": "1001"}');
    await restore().click();
    await restore().waitFor({ state: 'detached' });
  });

  test('that was closed is opened from the menu', async () => {
    await driver.openTab(page, 'Companies');
    await page.getByRole('tab').filter({ hasText: 'Companies' }).getByLabel('Close Tab').click();
    await driver.poll(() => page.getByRole('tab').filter({ hasText: 'Companies' }).count()).toBe(0);
    await driver.pickTab(page, 'Companies');
    await driver.run(page);
    await driver.shows(driver.responsePane(page), 'Zorggroep Noord');
  });

  test.each([1440, 1024])('fits into its pane on a window of %d pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    for (const operation of ['Debtors', 'DeletedCreditCases', 'DeclarationLines', 'DebtorByNumber']) {
      await driver.pickTab(page, operation);
      const editor = page.locator('.graphiql-query-editor');
      // A line that is wrapped is shown as two, of which one has no number.
      await driver
        .poll(
          async () =>
            (await editor.locator('.view-line').count()) -
            (await editor.locator('.margin-view-overlays .line-numbers').count()),
        )
        .toBe(0);
    }
  });
});

testInBrowser('a run beside a side panel moves nothing on a window of 1024 pixels', async () => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await driver.pickTab(page, 'Viewer');
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await driver.shows(page.locator('.graphiql-doc-explorer'), 'Root Types');
  const sizes = async () => ({
    page: await page.evaluate('document.documentElement.scrollHeight'),
    editor: (await page.locator('.graphiql-query-editor').boundingBox())?.width,
    strip: (await page.getByRole('banner').boundingBox())?.height,
  });
  const before = await sizes();
  expect(before.page).toBe(768);
  await page.locator('.graphiql-tab-active').waitFor();
  const tab = await page.locator('.graphiql-tab-active').boundingBox();
  const tabs = await page.locator('.graphiql-tabs').boundingBox();
  expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThanOrEqual((tabs?.x ?? 0) + (tabs?.width ?? 0) + 1);
  await driver.run(page);
  await driver.shows(driver.responsePane(page), 'Zorggroep Noord');
  expect(await sizes()).toEqual(before);
  await driver.choose(page, 'Download CSV', 'These rows');
  await driver.shows(page.locator('.answer-bar'), '`viewer`');
  expect(await sizes()).toEqual(before);
  await driver.pickTab(page, 'LiveChanges');
  await driver.choose(page, 'Download CSV', 'These rows');
  await driver.shows(page.locator('.answer-bar'), 'A subscription has no CSV');
  await page.getByRole('button', { name: 'Examples' }).press('Enter');
  await page.getByLabel('Search the examples').fill('');
  expect(await page.locator('#examples [aria-current] b').allTextContents()).toEqual(['LiveChanges']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
});

describeInBrowser('on a window of 390 pixels', () => {
  const box = async (selector: string) => {
    const found = await page.locator(selector).boundingBox();
    if (!found) throw new Error(`${selector} is not shown`);
    return found;
  };

  test('the panes stand below each other, and nothing is wider than the window', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await driver.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const [editors, response] = [await box('.graphiql-editors'), await box('.graphiql-response')];
    expect(response.y).toBeGreaterThanOrEqual(editors.y + editors.height);
    for (const { width, height } of [editors, response]) {
      expect(width).toBeGreaterThan(350);
      expect(height).toBeGreaterThan(300);
    }
  });

  test('each tab is reached by keyboard, and comes into view', async () => {
    await driver.pickTab(page, 'Debtors');
    await driver.pickTab(page, 'Viewer');
    const tab = await box('.graphiql-tab-active');
    expect(tab.x).toBeGreaterThanOrEqual(0);
    expect(tab.x + tab.width).toBeLessThanOrEqual(390);
    await driver.run(page);
    await driver.shows(driver.responsePane(page), 'Zorggroep Noord');
  });
});

testInBrowser(
  'axe-core finds nothing of ours, in either theme',
  async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await driver.give(page, 'Access token', 'worthless-token');
    await driver.shows(driver.status(page), 'Token not accepted');
    await driver.pickTab(page, 'DebtorByNumber');
    await driver.run(page);
    await driver.shows(driver.restCalls(page), '401');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, { except: driver.NOT_OURS });
    }
  },
  30_000,
);

testInBrowser('in all of this the browser had nothing to complain of, and asked no other host', () => {
  // A refused operation is a response of status 400, which the browser logs.
  expect(visitor.complaints.filter((complaint) => !complaint.includes('400 (Bad Request)'))).toEqual([]);
  expect(visitor.strayRequests).toEqual([]);
});
