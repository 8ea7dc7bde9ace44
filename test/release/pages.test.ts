import { expect, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { testInBrowser, visit } from '../support/browser.ts';
import { serveBuilt } from '../support/serve.ts';

// The pages that people see, but for GraphiQL, in a browser.

async function start() {
  const running = await serveBuilt(readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0' }, []));
  onTestFinished(running.stop);
  return running;
}

testInBrowser(
  'the front page is styled, accessible and leads to GraphiQL, with nothing to complain of',
  async () => {
    const { url } = await start();
    const { page, complaints, strayRequests } = await visit(new URL('/', url).href);
    onTestFinished(() => page.context().close());
    const width = await page.evaluate('getComputedStyle(document.body).maxWidth');
    expect(width).toBe('736px');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await page.getByRole('link', { name: '/graphql', exact: true }).click();
    await page.locator('.graphiql-query-editor').waitFor();
    expect(complaints).toEqual([]);
    expect(strayRequests).toEqual([]);
  },
  30_000,
);

testInBrowser(
  'the documentation is readable on any screen, by anyone, with nothing to complain of',
  async () => {
    const { url } = await start();
    const { page, complaints, strayRequests } = await visit(new URL('/docs/credentials', url).href);
    onTestFinished(() => page.context().close());
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    await page.getByRole('navigation').getByRole('link', { name: 'Errors' }).click();
    await page.getByRole('heading', { name: 'Codes', exact: true }).waitFor();
    expect(complaints).toEqual([]);
    expect(strayRequests).toEqual([]);
  },
  30_000,
);
