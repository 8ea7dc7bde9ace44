import { type AxeResults, source } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Expects no violations of axe's rules on a page as it is now, but for the rules named. */
export async function expectAccessible(
  page: Page,
  { except = [] }: { except?: string[] } = {},
): Promise<void> {
  await page.evaluate(source);
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run({ resultTypes: ['violations'], rules: ${JSON.stringify(rules)} })`,
  );
  const faults = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}: ${help}`),
  );
  expect(faults).toEqual([]);
}
