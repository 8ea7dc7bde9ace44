import { Amount } from './amount.tsx';
import type { DebtorPages } from './debtor-pages.ts';
import { type FragmentType, graphql, readFragment } from './generated/index.ts';
import { formatCount } from './money.ts';

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
          <ShownPart shown={shown} totals={totals} />
          {totals && <OpenAmount totals={totals} />}
        </>
      )}
      {unreadable > 0 && `, ${unreadable} could not be read`}
    </p>
  );
}

type Totals = FragmentType<typeof SummaryTotals>;

interface Part {
  readonly shown: number;
  /** Absent where they could not be read. */
  readonly totals?: Totals | null | undefined;
}

/** How many of all are on the page. */
export function ShownPart({ shown, totals }: Part) {
  const whole = totals && readFragment(SummaryTotals, totals);
  return (
    <>
      <strong>{formatCount(shown)}</strong> shown
      {whole ? (
        <>
          {' '}
          of {!whole.isComplete && 'at least '}
          <strong>{formatCount(whole.count)}</strong> {whole.count === 1 ? 'debtor' : 'debtors'}
        </>
      ) : (
        ', the total is not known'
      )}
    </>
  );
}

/** By the gateway, which has read them all: a sum of the rows on the page would be that of a part. */
function OpenAmount({ totals }: { readonly totals: Totals }) {
  const { isComplete, bookOpenAmount } = readFragment(SummaryTotals, totals);
  return (
    <>
      ,{' '}
      <strong>
        <Amount amount={bookOpenAmount.sum} />
      </strong>{' '}
      open
      {!isComplete && ' as far as could be read'}
    </>
  );
}
