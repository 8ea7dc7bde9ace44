import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Runs in the page. Nobody reads what it found to be right, and describing that takes most of its time. */
const findViolations = `async () => {
  const { violations } = await axe.run({ resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => {
    const around = (selector) => !!document.querySelector(target[0])?.closest(selector);
    const isExcepted = excepted.some((each) => each === id || each.startsWith(id + ' ') && around(each.slice(id.length)));
    return isExcepted ? [] : id + ': ' + target.join(' ') + ': ' + failureSummary;
  }).flat());
}`;

/**
 * Fails with what axe-core finds on the page as it stands, but for what is not ours to mend: a rule's id, or that and a
 * selector of elements around, such as `nested-interactive .some-tab`.
 */
export async function expectAccessible(
  page: Page,
  { except = [] }: { readonly except?: readonly string[] } = {},
): Promise<void> {
  // Evaluated, not added as a script, which the page's policy would forbid.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  expect(
    await page.evaluate(`{ const excepted = ${JSON.stringify(except)}; (${findViolations})() }`),
  ).toEqual([]);
}
