import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Starts the browser, or says in plain words what is missing. */
export async function launchBrowser(): Promise<Browser> {
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
