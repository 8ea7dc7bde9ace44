import { expect } from 'vitest';
import type { BriefCall } from '../support/gateway.ts';
import { isWhole, narrowed } from './answers.ts';
import type { Ask } from './generate.ts';
import type { ListSpec } from './lists.ts';
import type { Row } from './model.ts';

/** Pages that are read beside the walk, or completed by a lookup, have at most so many rows. */
const SHORT_PAGE = 100;

interface Run {
  readonly spec: ListSpec;
  readonly rows: readonly Row[];
  readonly perPage: number;
  readonly asks: readonly Ask[];
  readonly calls: readonly BriefCall[];
}

/** Whether the list is read whole, rather than page by page. */
function hasWalk(ask: Ask): boolean {
  return isWhole(ask) || ask.totals !== null || ask.groups.length > 0;
}

/** Whether the page is read on its own, as that of any list. */
function hasPlainPage(ask: Ask): boolean {
  if (isWhole(ask) || ask.page === 'none') return false;
  return !hasWalk(ask) || (ask.first ?? 100) <= SHORT_PAGE;
}

/** Whether the rest of the page's fields is looked up by id: not where the page may be half of the list. */
function isCompleted({ takesIds }: ListSpec, ask: Ask): boolean {
  const first = ask.first ?? 100;
  const most = Math.min(ask.among ?? 10_000, ask.narrow.ids?.length ?? Number.POSITIVE_INFINITY);
  return takesIds && isWhole(ask) && first <= SHORT_PAGE && first < most / 2;
}

/** Of all that is asked: each list is walked once, read as a page once, and completed once. */
export function checkNumberOfCalls({ spec, rows, perPage, asks, calls }: Run): void {
  const names = new Set(asks.map(({ narrow }) => JSON.stringify(narrow)));
  const starts = calls.filter(({ cursor }) => cursor === undefined);
  let most = 0;
  let mostStarts = 0;
  for (const name of names) {
    const same = asks.filter(({ narrow }) => JSON.stringify(narrow) === name);
    const [ask] = same;
    const count = ask ? narrowed(rows, ask).length : 0;
    const pages = (length: number) => Math.max(1, Math.ceil(Math.min(count, length) / perPage));
    const longest = (some: readonly Ask[], length: (one: Ask) => number) =>
      some.length === 0 ? 0 : pages(Math.max(...some.map(length)));
    const walks = longest(same.filter(hasWalk), (one) => Math.max(one.among ?? 10_000, one.first ?? 100) + 1);
    const plain = longest(same.filter(hasPlainPage), (one) => one.first ?? 100);
    const completed = longest(
      same.filter((one) => isCompleted(spec, one)),
      (one) => one.first ?? 100,
    );
    most += walks + plain + completed;
    // A lookup that is answered in part goes on with the ids that are left.
    mostStarts += Math.min(walks, 1) + Math.min(plain, 1) + completed;
  }
  expect({ calls, isFew: starts.length <= mostStarts && calls.length <= most }).toEqual({
    calls,
    isFew: true,
  });
  // No page twice: equal walks are one.
  const texts = calls.map((call) => JSON.stringify(call));
  expect(new Set(texts).size).toBe(texts.length);
}
