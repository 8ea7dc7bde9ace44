import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { launchBrowser, type Visit, visit } from '../support/browser.ts';
import { BEARER, type TestGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';

/** Exactly what a row shows, and what the gateway itself reads. */
export const SHOWN = [
  'id',
  'administration_id',
  'debtor_number',
  'name',
  'book_open_amount',
  { labels: ['name'] },
];

export const tokenOf = ({ authorization }: { readonly authorization: string }) =>
  authorization.replace('Bearer ', '');

/** Something to wait for, until it is let go. */
export function hold() {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { held, letGo };
}

/** The dashboard over a gateway, built once for the tests of one file; each test visits it anew. */
export function useDashboard(gateway: TestGateway) {
  const root = fileURLToPath(new URL('../../examples/dashboard/', import.meta.url));
  let outDir: string;
  let server: PreviewServer;
  let browser: Browser;
  let visitor: Visit;

  beforeAll(async () => {
    outDir = await mkdtemp(join(tmpdir(), 'dashboard-'));
    // Else React's build for development is taken, which does everything twice.
    vi.stubEnv('NODE_ENV', 'production');
    vi.stubEnv('GATEWAY_URL', gateway.url);
    vi.stubEnv('GATEWAY_TOKEN', 'a token of the one who builds');
    await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
    server = await preview({ root, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
    vi.unstubAllEnvs();
    browser = await launchBrowser();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(outDir, { recursive: true });
  });

  beforeEach(async () => {
    visitor = await visit(browser, present(server.resolvedUrls?.local[0]));
  });

  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    expect(visitor.strayRequests).toEqual([]);
    await visitor.page.context().close();
  });

  const page = (): Page => visitor.page;

  return {
    page,
    outDir: () => outDir,
    async connect(token = tokenOf(BEARER)): Promise<void> {
      await page().getByLabel('Access token').fill(token);
      await page().keyboard.press('Enter');
    },
    summary: (text: string) => page().getByRole('status').filter({ hasText: text }).waitFor(),
    search: (text: string) => page().getByLabel('Debtor number').fill(text),
    button: (name: string) => page().getByRole('main').getByRole('button', { name }),
    scrollTo: (position: number) => page().evaluate(`scrollTo(0, ${position})`),
    scrollToEnd: () => page().evaluate('scrollTo(0, document.body.scrollHeight)'),
    scrolledTo: () => page().evaluate<number>('scrollY'),
    /** The texts of the cells of each row that can be seen. */
    rows: () =>
      page().evaluate<string[][]>(
        `[...document.querySelectorAll('tbody tr')].filter((row) => row.checkVisibility())
           .map((row) => [...row.cells].map((cell) => cell.textContent))`,
      ),
  };
}
