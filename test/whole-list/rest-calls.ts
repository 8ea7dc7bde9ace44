import { expect } from 'vitest';
import type { BriefCall } from '../support/gateway.ts';
import { type Expected, isWhole, narrowed } from './answers.ts';
import type { Ask } from './generate.ts';
import type { SentRow } from './generate-rows.ts';
import type { ListSpec } from './lists.ts';
import { leavesOfCall, needsOf, pageFields, reads } from './needs.ts';

/** Pages that are read beside the walk, or completed by a lookup, have at most so many rows. */
const SHORT_PAGE = 100;

interface Run {
  readonly spec: ListSpec;
  readonly rows: readonly SentRow[];
  readonly perPage: number;
  readonly asks: readonly Ask[];
  readonly expected: readonly Expected[];
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

/** Of a single list field: which fields are asked of the service. */
export function checkFields({ spec, perPage, asks: [ask], expected: [answer], calls }: Run): void {
  if (!spec.takesFields) expect(calls.filter(({ only }) => only !== undefined)).toEqual([]);
  if (!spec.takesFields || !ask || !answer) return;
  const page = pageFields(spec, ask);
  const needs = needsOf(spec, ask);
  const given = ask.narrow.ids;
  const isLookup = ({ ids }: BriefCall) => ids !== undefined && ids !== [...new Set(given)].join(',');
  const isAlsoPage = hasPlainPage(ask);
  const inWalk = isWhole(ask) ? !isCompleted(spec, ask) : !isAlsoPage;
  const walk = {
    must: [...needs.must, ...(inWalk ? page : [])],
    may: [...needs.must, ...needs.may, ...(inWalk ? page : [])],
  };
  const plain = { must: [...page], may: [...page] };
  for (const call of calls) {
    const leaves = leavesOfCall(call.only) ?? [];
    const fits = ({ must, may }: typeof plain) =>
      must.every((path) => reads(leaves, path)) &&
      leaves.every((leaf) => may.some((path) => reads([leaf], path)));
    if (isLookup(call)) {
      const missing = [...page].filter((path) => !reads([...needs.must, ...needs.may], path));
      expect({ leaves, fits: fits({ must: missing, may: plain.may }) }).toEqual({ leaves, fits: true });
    } else {
      const kinds = [...(hasWalk(ask) ? [walk] : []), ...(isAlsoPage ? [plain] : [])];
      expect({ leaves, kinds, fits: kinds.some(fits) }).toEqual({ leaves, kinds, fits: true });
    }
  }
  // What is named and says nothing may have been read with the walk, or not.
  const isWanted = (known: Iterable<string>) =>
    isCompleted(spec, ask) && answer.page.length > 0 && [...page].some((path) => !reads([...known], path));
  const most = Math.ceil(answer.page.length / perPage);
  const possible = [isWanted(needs.must), isWanted([...needs.must, ...needs.may])].map((is) =>
    is ? most : 0,
  );
  const lookups = calls.filter(isLookup).length;
  expect({ calls, lookups, isRight: possible.includes(lookups) }).toEqual({ calls, lookups, isRight: true });
}
