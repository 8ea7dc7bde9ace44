import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Expects a page to break no rule of axe-core; `except` names rules that are left out. */
export async function expectAccessible(
  page: Page,
  { except = [] }: { readonly except?: string[] } = {},
): Promise<void> {
  await page.evaluate(axe.source);
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  const { violations }: axe.AxeResults = await page.evaluate(`axe.run(${JSON.stringify({ rules })})`);
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`,
  );
  expect(found).toEqual([]);
}
