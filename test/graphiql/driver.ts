import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Rules of axe-core that code of others breaks. */
export const NOT_OURS = [
  // GraphiQL puts the buttons that open and close a tab into the element that has the role of a tab.
  'nested-interactive .graphiql-tab',
  // Monaco's colour for comments.
  'color-contrast .view-line',
];

export const queryPane = (page: Page): Locator => page.locator('.graphiql-query-editor .view-lines');
export const responsePane = (page: Page): Locator => page.locator('.graphiql-response .view-lines');
export const restCalls = (page: Page): Locator => page.locator('.rest-calls');
export const timing = (page: Page): Locator => restCalls(page).locator('summary span');
export const status = (page: Page): Locator => page.getByRole('banner').getByRole('status');

export async function openPane(page: Page, name: 'Variables' | 'Headers'): Promise<Locator> {
  await page.getByRole('button', { name, exact: true }).click();
  return page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden) .view-lines');
}

/** Waits until the text shows, however the editor spreads it over elements. */
export async function shows(part: Locator, text: string): Promise<void> {
  await part.filter({ hasText: text }).waitFor();
}

export function poll<T>(read: () => T) {
  return expect.poll(read);
}

/** Waits until GraphiQL has stored a text, which it does a moment after it shows. */
export async function stores(page: Page, key: string, text: string): Promise<void> {
  await poll(() => page.evaluate(`localStorage.getItem('graphiql:${key}')`)).toContain(text);
}

/** Opens a tab by its name, or the example of that name in a new one. */
export async function openTab(page: Page, operation: string): Promise<void> {
  const tab = page.getByRole('tab').filter({ hasText: operation });
  if ((await tab.count()) === 0) return pickTab(page, operation);
  await tab.click();
  await shows(queryPane(page), operation);
  // Only with the storing does GraphiQL know which operation it is to run.
  await stores(page, 'query', operation);
}

export async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Execute query/ }).click();
}

export async function overwrite(page: Page, pane: Locator, text: string): Promise<void> {
  await pane.click();
  await page.keyboard.press('ControlOrMeta+A');
  // A bracket would be set around what is selected.
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
  await shows(pane, text);
}

/** Fills a field of the credential bar as a user does, who continues with Enter. */
export async function give(page: Page, field: string, text: string): Promise<void> {
  await page.getByLabel(field).fill(text);
  await page.getByLabel(field).press('Enter');
}

export async function pickTab(page: Page, operation: string): Promise<void> {
  await page.locator('main:not([inert])').getByRole('button', { name: 'Examples' }).press('Enter');
  const name = page.locator('b').filter({ hasText: new RegExp(`^${operation}$`) });
  await page.getByRole('menuitem').filter({ has: name }).press('Enter');
  await shows(queryPane(page), operation);
  await stores(page, 'query', operation);
}

export async function openCalls(page: Page): Promise<void> {
  await restCalls(page).locator('summary').press('Enter');
}

export async function downloadCsv(page: Page, item: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Download CSV' })
      .press('Enter')
      .then(() => page.getByRole('menuitem', { name: item, exact: true }).press('Enter')),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  return { name: download.suggestedFilename(), lines };
}
