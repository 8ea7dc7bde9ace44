import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { describeWith, testWith } from './requirements.ts';

const program = inject('browser');

const BROWSER = {
  /** Continuous integration must not lack a browser unnoticed: there, the tests fail. */
  isMet: program !== null || process.env.CI !== undefined,
  needs: 'a browser. Install Chromium (on Debian: apt-get install chromium) or set CHROMIUM_PATH to one.',
};

export const testInBrowser = testWith(BROWSER);
export const describeInBrowser = describeWith(BROWSER);

let started: Promise<Browser> | undefined;

/** One browser for all test files that this process runs, and as long as that: starting one takes seconds. */
function sharedBrowser(): Promise<Browser> {
  started ??= launchBrowser();
  return started;
}

async function launchBrowser(): Promise<Browser> {
  if (program === null)
    throw new Error('No browser was found: install Chromium, or set CHROMIUM_PATH to one.');
  return chromium.launch({
    executablePath: program,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Pages of one context share a process, and none is started for a page that may come.
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
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

/** Visits a page with nothing stored of earlier visits. Whoever visits closes the page's context. */
export async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(30_000);
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
