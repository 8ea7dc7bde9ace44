import type { DebtorPages } from './debtor-pages.ts';
import { type FragmentType, graphql, readFragment } from './generated/index.ts';
import { formatAmount, formatCount } from './money.ts';

const SummaryTotals = graphql(`
  fragment SummaryTotals on DebtorTotals {
    count
    isComplete
    bookOpenAmount {
      sum
    }
  }
`);

interface Properties {
  readonly pages: DebtorPages;
  readonly shown: number;
}

/** What is on the page and what there is in all, also for those who hear it rather than see it. */
export function Summary({ pages: { totals, unreadable, status, question }, shown }: Properties) {
  return (
    <p className="summary" role="status">
      {status === 'loading' && !question && 'Loading debtors…'}
      {shown > 0 && (
        <>
          <strong>{formatCount(shown)}</strong> shown
          {totals ? <Whole totals={totals} /> : ', the total is not known'}
        </>
      )}
      {unreadable > 0 && `, ${unreadable} could not be read`}
    </p>
  );
}

/** By the gateway, which has read them all: a sum of the rows on the page would be that of a part. */
function Whole({ totals }: { readonly totals: FragmentType<typeof SummaryTotals> }) {
  const { count, isComplete, bookOpenAmount } = readFragment(SummaryTotals, totals);
  return (
    <>
      {' '}
      of {!isComplete && 'at least '}
      <strong>{formatCount(count)}</strong> {count === 1 ? 'debtor' : 'debtors'},{' '}
      <strong>{formatAmount(bookOpenAmount.sum)}</strong> open
      {!isComplete && ' as far as could be read'}
    </>
  );
}
