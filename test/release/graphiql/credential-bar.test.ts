import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { readConfig } from '../../../src/config/index.ts';
import { demoCredentials } from '../../../src/demo/applications.ts';
import type { RunningServer } from '../../../src/server/serve.ts';
import * as driver from '../../graphiql/driver.ts';
import { testInBrowser, type Visit, visit } from '../../support/browser.ts';
import { BASIC, BEARER } from '../../support/gateway.ts';
import { type DemoService, startDemoService } from '../../support/rest-service.mjs';
import { serveBuilt } from '../../support/serve.ts';

const { tokens, application } = demoCredentials;
let rest: DemoService;
let running: RunningServer;
let visitor: Visit;
let page: Page;

beforeAll(async () => {
  rest = await startDemoService();
  const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', REST_URL: rest.url, CACHE_TTL_MS: '0' }, []);
  running = await serveBuilt(config);
  visitor = await visit(running.url);
  page = visitor.page;
});

afterAll(async () => {
  await page?.context().close();
  await running?.stop();
  await rest?.close();
});

async function showsVariables(text: string): Promise<void> {
  await driver.shows(await driver.openPane(page, 'Variables'), text);
}

async function callOfRun() {
  rest.calls.length = 0;
  await driver.run(page);
  await driver.poll(() => rest.calls.at(-1)).toBeDefined();
  return rest.calls.at(-1);
}

testInBrowser('the credential bar starts empty with advice, and without demo records', async () => {
  await driver.shows(driver.status(page), 'Paste an access token into the box: every tab sends it.');
  await driver.shows(driver.queryPane(page), 'Debtors');
  expect(await page.getByPlaceholder('Type its id').count()).toBe(1);
  expect(await page.getByRole('tab').count()).toBe(1);
  await showsVariables('"administrationId": ""');
  await driver.openTab(page, 'UnmarkTask');
  await showsVariables('"taskId": ""');
  await driver.openTab(page, 'Debtors');
  expect(rest.calls.filter(({ path }) => path !== '/')).toEqual([]);
  expect(await driver.timing(page).textContent()).toBe('');
});

testInBrowser('every tab uses the token, pasted with its scheme, and the administration', async () => {
  await driver.give(page, 'Access token', ` Bearer ${tokens.companyA}\n`);
  await driver.shows(driver.status(page), 'open “Application” and fill it in');
  await driver.give(page, 'Administration', '1002');
  await showsVariables('"administrationId": "1002"');
  expect(await callOfRun()).toMatchObject({ headers: BEARER, query: { administration_id: '1002' } });
  await driver
    .poll(() => driver.timing(page).textContent())
    .toMatch(/^[\d.]+ ms · gateway [\d.]+ ms · REST [\d.]+ ms$/);
  const shown = await driver.timing(page).textContent();
  await driver.openTab(page, 'MarkMessages');
  await showsVariables('"administrationId": "1002"');
  expect(await driver.timing(page).textContent()).toBe('');
  await driver.openTab(page, 'Debtors');
  expect(await driver.timing(page).textContent()).toBe(shown);
});

testInBrowser('the bar names the administration of a query, and keys can leave the editor', async () => {
  await page.getByRole('button', { name: 'New tab' }).click();
  const query = 'query Own { debtors(administrationId: "2001", first: 1) { nodes { name } } }';
  await driver.overwrite(page, driver.queryPane(page), query);
  await driver.shows(driver.status(page), 'This tab names administration 2001.');
  await callOfRun();
  await driver.shows(page.locator('.response-advice'), 'The REST service does not allow this.');
  const isInEditor = () => page.evaluate("document.activeElement.closest('.monaco-editor') !== null");
  await page.keyboard.press('Control+M');
  await page.keyboard.press('Tab');
  await driver.poll(isInEditor).toBe(false);
  await driver.queryPane(page).click();
  await page.keyboard.press('Control+M');
  await driver.openTab(page, 'Debtors');
});

testInBrowser('with an application, the bar lists administrations, and `companies` works', async () => {
  await page.getByText('Application', { exact: true }).click();
  await driver.give(page, 'Client id', application.clientId);
  await driver.give(page, 'Client secret', application.clientSecret);
  await driver.shows(driver.status(page), 'Zorggroep Noord B.V.');
  await page.getByLabel('Administration').selectOption('1001 Zorggroep Noord: Facturatie');
  await showsVariables('"administrationId": "1001"');
  await driver.openTab(page, 'Companies');
  expect(await callOfRun()).toMatchObject({ path: '/v1/companies', headers: BASIC });
  await driver.shows(driver.responsePane(page), 'Zorggroep Noord B.V.');
});

testInBrowser('the credential bar shows a rejected token until another one is entered', async () => {
  await driver.openTab(page, 'DeclarationLines');
  await driver.give(page, 'Access token', 'worthless-token');
  const refused = 'Token not accepted: mistyped, expired, or of another application?';
  await driver.shows(driver.status(page), refused);
  await driver.run(page);
  await driver.shows(page.locator('.response-advice'), 'The REST service rejected the credential.');
  await driver.shows(driver.status(page), refused);
  await driver.give(page, 'Access token', tokens.companyB);
  await driver.shows(driver.status(page), 'Møller & Zonen');
  await driver.poll(() => page.getByLabel('Administration').inputValue()).toBe('2001');
  await showsVariables('"administrationId": "2001"');
});

testInBrowser('after a reload, GraphiQL has no credentials but the same administration', async () => {
  // Tabs are stored a moment after they show, and until then name the former administration.
  const stored = () => page.evaluate("localStorage.getItem('graphiql:tabState')");
  await driver.poll(stored).not.toContain('\\"administrationId\\": \\"1001');
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/demo-token|demo-application/);
  await page.reload();
  await driver.shows(driver.status(page), 'Paste an access token');
  expect(await page.getByLabel('Access token').inputValue()).toBe('');
  expect(await page.getByLabel('Administration').inputValue()).toBe('2001');
});

testInBrowser('the credential bar causes no browser errors and no requests to other hosts', () => {
  // The browser logs a rejected estimate, which is a response of status 400.
  const unexpected = visitor.complaints.filter((complaint) => !complaint.includes('400 (Bad Request)'));
  expect(unexpected).toEqual([]);
  expect(visitor.strayRequests).toEqual([]);
});
