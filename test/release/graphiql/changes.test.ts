import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/index.ts';
import { demoCredentials } from '../../../src/demo/applications.ts';
import type { Running } from '../../../src/server/serve.ts';
import * as driver from '../../graphiql/driver.ts';
import { expectAccessible } from '../../support/accessibility.ts';
import { describeInBrowser, type Visit, visit } from '../../support/browser.ts';
import { ADMINISTRATION } from '../../support/gateway.ts';
import { present } from '../../support/present.ts';
import { createChangingRecords } from '../../support/rest-changes.ts';
import { type DemoService, startDemoService } from '../../support/rest-service.mjs';
import { serveBuilt } from '../../support/serve.ts';

// Changes as they happen, over a service whose records the tests change.

const records = createChangingRecords(ADMINISTRATION);
const debtor = present(
  records.data.debtors.find(({ administration_id }) => administration_id === ADMINISTRATION),
);
let rest: DemoService;
let running: Running;
let visitor: Visit;
let page: Page;

async function serve(port: string): Promise<Running> {
  const { clientId, clientSecret } = demoCredentials.application;
  return serveBuilt(
    readConfig(
      {
        PORT: port,
        SHUTDOWN_GRACE_MS: '0',
        REST_URL: rest.url,
        CHANGES_POLL_MS: '100',
        CLIENT_ID: clientId,
        CLIENT_SECRET: clientSecret,
      },
      [],
    ),
  );
}

beforeAll(async () => {
  rest = await startDemoService({ data: records.data });
  running = await serve('0');
  visitor = await visit(running.url);
  page = visitor.page;
  await driver.give(page, 'Access token', demoCredentials.tokens.companyA);
  await driver.give(page, 'Administration', ADMINISTRATION);
  await page.getByRole('button', { name: 'Show Changes' }).click();
}, 30_000);

afterAll(async () => {
  await page?.context().close();
  await running?.stop();
  await rest?.close();
});

const panel = () => page.getByRole('region', { name: 'Changes', exact: true });
const press = (name: string) => panel().getByRole('button', { name, exact: true }).click();
const says = (text: string) => driver.shows(panel().getByRole('status'), text);
const lines = () => panel().getByRole('listitem');
/** The texts of the list, without their times. */
const told = async () =>
  (await lines().allTextContents()).map((text) => text.replace(/^\S+( [AP]M)? /, '').trim());

describeInBrowser('the panel of changes', () => {
  test('tells what happens from when it is started, and nothing of before', async () => {
    await says('Press Start');
    expect(rest.calls.filter(({ query }) => 'updated_after' in query)).toEqual([]);
    await press('Start');
    await says('Connected');
    expect(await lines().count()).toBe(0);
    records.changeDebtor(debtor.id, { name: 'Zoë Ærø', book_open_amount: '12.34' });
    await driver.poll(told).toEqual([`Debtor changed Zoë Ærø · ${debtor.id}`]);
    records.deleteCreditCase('c-1', debtor.id);
    await driver.poll(told).toEqual(['Credit case deleted c-1', `Debtor changed Zoë Ærø · ${debtor.id}`]);
  });

  test('opens a line for all that its event has, by keyboard', async () => {
    await lines().nth(1).locator('summary').press('Enter');
    await driver.shows(lines().nth(1), '"bookOpenAmount": "12.34"');
    await lines().nth(1).locator('summary').press('Enter');
    await driver.poll(() => lines().nth(1).locator('pre').count()).toBe(0);
  });

  test.each([
    [375, 'dark'],
    [1024, 'light'],
    [1440, 'dark'],
  ] as const)('fits, and is accessible, on a window of %d pixels (%s)', async (width, colorScheme) => {
    await page.setViewportSize({ width, height: 900 });
    await driver.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await lines().first().scrollIntoViewIfNeeded();
    const box = await lines().first().boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect(Number(box?.x) + Number(box?.width)).toBeLessThanOrEqual(width);
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, { except: driver.NOT_OURS });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('goes on while it is closed', async () => {
    await page.getByRole('button', { name: 'Hide Changes' }).click();
    records.changeDebtor(debtor.id, { name: 'While closed' });
    await page.getByRole('button', { name: 'Show Changes' }).click();
    await driver.poll(async () => (await told())[0]).toContain('While closed');
  });

  test('brings what it has missed when it is started again, or starts anew', async () => {
    const before = await lines().count();
    await press('Stop');
    await says('Stopped');
    records.changeDebtor(debtor.id, { name: 'While stopped' });
    await press('Start');
    await driver.poll(async () => (await told())[0]).toContain('While stopped');
    expect(await lines().count()).toBe(before + 1);
    await press('Stop');
    records.changeDebtor(debtor.id, { name: 'Never told' });
    await press('Start anew');
    await says('Connected');
    expect(await lines().count()).toBe(0);
    await press('Stop');
    await panel().getByLabel('Debtor changed').uncheck();
    await press('Start anew');
    await says('Connected');
    records.changeDebtor(debtor.id, { name: 'Not asked for' });
    records.deleteCreditCase('c-2', debtor.id);
    await driver.poll(told).toEqual(['Credit case deleted c-2']);
    await press('Stop');
    await panel().getByLabel('Debtor changed').check();
    await press('Start anew');
    await says('Connected');
  });

  test('says what the gateway cannot read, and goes on', async () => {
    rest.misbehave({ kind: 'status', status: 503, times: 8, match: { path: '/v1/debtors' } });
    await driver.shows(lines().first(), 'The gateway tries again in');
    rest.behave();
    records.changeDebtor(debtor.id, { name: 'Read again' });
    await driver.poll(async () => (await told())[0]).toContain('Read again');
    await says('Connected');
  });

  test('survives a restart of the gateway', async () => {
    const { port } = new URL(running.url);
    await running.stop();
    await says('Connecting again');
    records.changeDebtor(debtor.id, { name: 'Meanwhile' });
    running = await serve(port);
    await driver.poll(async () => (await told())[0]).toContain('Meanwhile');
    await says('Connected');
    visitor.complaints.splice(0);
  });

  test('stops where the token is refused, says so, and goes on with another', async () => {
    rest.misbehave({ kind: 'status', status: 401, match: { path: '/v1/debtors' } });
    await panel().getByRole('button', { name: 'Start', exact: true }).waitFor();
    expect(await panel().getByRole('status').textContent()).toMatch(/token|credential/);
    records.changeDebtor(debtor.id, { name: 'With another' });
    await press('Start');
    await driver.poll(async () => (await told())[0]).toContain('With another');
    await press('Stop');
  });
});

describeInBrowser('a subscription in the editor', () => {
  const SUBSCRIPTION = `subscription Typed { changes(administrationId: "${ADMINISTRATION}") { ... on DebtorChanged { debtor { name } } } }`;

  test('runs: each event takes the place of the answer, until it is stopped', async () => {
    await page.getByRole('button', { name: 'New tab' }).click();
    await driver.queryPane(page).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(SUBSCRIPTION);
    await driver.stores(page, 'query', 'debtor { name } } } }');
    const opened = page.waitForResponse((response) =>
      /event-stream/.test(response.headers()['content-type'] ?? ''),
    );
    await driver.run(page);
    await opened;
    for (const name of ['First', 'Second']) {
      records.changeDebtor(debtor.id, { name });
      await driver.shows(driver.responsePane(page), `"name": "${name}"`);
    }
    expect(await driver.responsePane(page).textContent()).not.toContain('First');
    await page.getByRole('button', { name: /^Stop query/ }).click();
    const polls = () => rest.calls.filter(({ query }) => 'updated_after' in query).length;
    await page.getByRole('button', { name: /^Execute query/ }).waitFor();
    let before = -1;
    await driver
      .poll(async () => {
        const isOver = before === polls();
        before = polls();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return isOver;
      })
      .toBe(true);
    records.changeDebtor(debtor.id, { name: 'Third' });
    await driver.shows(driver.responsePane(page), '"name": "Second"');
  });

  test('shows how the gateway ends it', async () => {
    rest.misbehave({ kind: 'status', status: 401, times: 4 });
    await driver.run(page);
    await driver.shows(driver.responsePane(page), 'UNAUTHENTICATED');
    rest.behave();
    await driver.shows(driver.status(page), 'Token not accepted');
    await page.getByRole('button', { name: /^Execute query/ }).waitFor();
    // The browser's own: what is refused before there is a stream is answered with JSON, and its status.
    await driver.poll(() => visitor.complaints).toEqual([expect.stringContaining('400')]);
    visitor.complaints.splice(0);
  });

  test('is copied as a command that asks for a stream', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await driver.choose(page, 'Copy as', 'cURL');
    await driver
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toContain("-H 'Accept: text/event-stream'");
  });

  test('in all of this the browser had nothing to complain of, and asked no other host', () => {
    expect(visitor.complaints).toEqual([]);
    expect(visitor.strayRequests).toEqual([]);
  });
});
