import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { type PreviewServer, preview } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, onTestFinished, vi } from 'vitest';
import { type Visit, visit } from '../support/browser.ts';
import { BEARER, type BriefCall, type TestGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';

const root = fileURLToPath(new URL('../../examples/dashboard/', import.meta.url));

/** The calls for pages of rows. The others read the whole list, or what has changed. */
export const pagesIn = (calls: readonly BriefCall[]) => calls.filter(({ per_page }) => per_page === '50');

export const tokenOf = ({ authorization }: { readonly authorization: string }) =>
  authorization.replace('Bearer ', '');

export interface DashboardOptions {
  /** A page without streams requests changes every 30 s, so all REST calls belong to the test. */
  readonly hasStreams?: boolean;
}

/** Answers as a gateway without subscriptions does. In the page, since routing it would change all other requests. */
const REFUSE_STREAMS = `{
  const { fetch } = window;
  const errors = [{ message: 'No streams.', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }];
  window.fetch = (...request) =>
    request[1]?.headers?.Accept === 'text/event-stream' ? Promise.resolve(Response.json({ errors })) : fetch(...request);
}`;

/**
 * The dashboard over a gateway, for the tests of one file. Each test reloads it in the same tab: the page
 * stores nothing, and a process for each test would take longer than the test.
 */
export function useDashboard(
  gateway: Pick<TestGateway, 'url'>,
  { hasStreams = false }: DashboardOptions = {},
) {
  const outDir = inject('dashboard');
  let server: PreviewServer;
  let url: string;
  let visitor: Visit;

  beforeAll(async () => {
    vi.stubEnv('GATEWAY_URL', gateway.url);
    server = await preview({ root, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
    vi.unstubAllEnvs();
    url = present(server.resolvedUrls?.local[0]);
    visitor = await open();
  });

  afterAll(async () => {
    await visitor?.page.context().close();
    await server?.close();
  });

  beforeEach(() => visitor.page.goto(url));

  afterEach(async () => {
    expect(visitor.complaints.splice(0)).toEqual([]);
    expect(visitor.strayRequests.splice(0)).toEqual([]);
    await visitor.page.unrouteAll({ behavior: 'ignoreErrors' });
    // Ends the requests and timers of this test.
    await visitor.page.goto('about:blank');
  });

  async function open(): Promise<Visit> {
    const opened = await visit(url);
    if (!hasStreams) await opened.page.addInitScript(REFUSE_STREAMS);
    // Load the page again, with this script from its start.
    await opened.page.goto(url);
    return opened;
  }

  const page = (): Page => visitor.page;

  return {
    page,
    outDir,
    complaints: () => visitor.complaints,
    /** Opens a page of its own, for a test that changes state of the browser, such as its clock. */
    async visitAnew(): Promise<void> {
      const shared = visitor;
      visitor = await open();
      onTestFinished(async () => {
        await visitor.page.context().close();
        visitor = shared;
      });
    },
    async connect(token = tokenOf(BEARER)): Promise<void> {
      await page().getByLabel('Access token').fill(token);
      await page().keyboard.press('Enter');
    },
    summary: (text: string) => page().getByRole('status').filter({ hasText: text }).waitFor(),
    /** The rows are an answer to what is asked. */
    answered: () => page().locator('.list[aria-busy="false"]').waitFor(),
    search: (text: string) => page().getByLabel('Name or number').fill(text),
    leave: () => page().getByRole('button', { name: 'Use another token' }).click(),
    scrollTo: (position: number) => page().evaluate(`scrollTo(0, ${position})`),
    scrollToEnd: () => page().evaluate('scrollTo(0, document.body.scrollHeight)'),
    scrolledTo: () => page().evaluate<number>('scrollY'),
    rows: () =>
      page().evaluate<string[][]>(
        `[...document.querySelectorAll('tbody tr')].filter((row) => row.checkVisibility())
           .map((row) => [...row.cells].map((cell) => cell.textContent))`,
      ),
  };
}
