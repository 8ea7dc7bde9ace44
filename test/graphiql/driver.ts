import { existsSync } from 'node:fs';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** Starts the browser, or says in plain words what is missing. */
export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(new URL('../../dist/graphiql/index.html', import.meta.url))) {
    throw new Error('dist/graphiql is missing: run "npm run build" before this test');
  }
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    throw new Error(`There is no browser at ${executablePath}: set CHROMIUM_PATH to a Chromium`);
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** One visitor's view of the page, and a log of everything that should not happen. */
export interface Visit {
  readonly page: Page;
  /** Console errors and warnings, violations of the page's policy, failed requests, uncaught errors. */
  readonly complaints: string[];
  /** Requests to any other origin than the page's own. */
  readonly strayRequests: string[];
}

export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  const strayRequests: string[] = [];
  const { origin } = new URL(url);

  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin && !request.url().startsWith('data:')) {
      strayRequests.push(request.url());
    }
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // An aborted request is one that the page itself gave up, as Monaco does with a worker it restarts.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason}: ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) =>
       console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  );

  await page.goto(url);
  return { page, complaints, strayRequests };
}

// The parts of the page.

export const queryPane = (page: Page): Locator => page.locator('.graphiql-query-editor .view-lines');
export const responsePane = (page: Page): Locator => page.locator('.graphiql-response .view-lines');
export const restCalls = (page: Page): Locator => page.locator('.rest-calls');

/** Brings the variables or the headers to the front. */
export async function openPane(page: Page, name: 'Variables' | 'Headers'): Promise<Locator> {
  await page.getByRole('button', { name, exact: true }).click();
  return page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden) .view-lines');
}

/** Waits until the text shows, however the editor spreads it over elements. */
export async function shows(part: Locator, text: string): Promise<void> {
  await part.filter({ hasText: text }).waitFor();
}

/** Waits until GraphiQL has stored a text, which it does a moment after it shows. */
export async function stores(page: Page, key: string, text: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(`localStorage.getItem('graphiql:${key}')`), { timeout: 10_000 })
    .toContain(text);
}

export async function openTab(page: Page, operation: string): Promise<void> {
  await page.getByRole('tab').filter({ hasText: operation }).click();
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
  await page.keyboard.insertText(text);
  await shows(pane, text);
}

export async function append(page: Page, pane: Locator, text: string): Promise<void> {
  await pane.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText(text);
  await shows(pane, text);
}
