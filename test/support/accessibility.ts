import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export interface AccessibilityOptions {
  /**
   * What is not ours to mend: a rule's id, a selector of elements whose violations are left out, or both as
   * `rule selector`, such as `nested-interactive .some-tab`.
   */
  readonly except?: string[];
}

interface Violation {
  readonly rule: string;
  readonly element: string;
  readonly problem: string;
  /** The selectors of `except` that the element, or one around it, matches. */
  readonly matches: readonly string[];
}

/** Fails with what axe-core finds on the page as it stands. */
export async function expectAccessible(
  page: Page,
  { except = [] }: AccessibilityOptions = {},
): Promise<void> {
  const exceptions = except.map(readException);
  // Evaluated, not added as a script, which the page's policy would forbid.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const selectors = exceptions.flatMap(({ selector }) => selector ?? []);
  const violations: Violation[] = await page.evaluate(`(${findViolations})(${JSON.stringify(selectors)})`);
  const ours = violations.filter(
    ({ rule, matches }) =>
      !exceptions.some(
        (exception) =>
          (exception.rule === undefined || exception.rule === rule) &&
          (exception.selector === undefined || matches.includes(exception.selector)),
      ),
  );
  expect(ours.map(({ rule, element, problem }) => `${rule}: ${element}: ${problem}`)).toEqual([]);
}

const RULES = new Set(axe.getRules().map(({ ruleId }) => ruleId));

function readException(text: string): { readonly rule?: string; readonly selector?: string } {
  const [first = '', ...others] = text.split(' ');
  if (!RULES.has(first)) return { selector: text };
  return others.length === 0 ? { rule: first } : { rule: first, selector: others.join(' ') };
}

/** Runs in the page. */
const findViolations = `async (selectors) => {
  // Nobody reads what it found to be right, and describing that takes most of its time.
  const { violations } = await axe.run({ resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => ({
    rule: id,
    element: target.join(' '),
    problem: failureSummary,
    matches: selectors.filter((selector) => document.querySelector(target[0])?.closest(selector)),
  })));
}`;
