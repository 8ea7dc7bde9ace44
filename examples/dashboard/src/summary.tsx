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

/** Shows how many debtors are on the page and in total, also to screen readers. */
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
  /** Absent if they could not be read. */
  readonly totals?: Totals | null | undefined;
}

/** Shows how many of all debtors are on the page. */
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

/** The gateway adds up all debtors; the page only has some of them. */
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
