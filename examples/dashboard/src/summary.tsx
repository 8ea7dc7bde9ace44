import { DebtorRowFragment } from './debtor-row.tsx';
import { type FragmentType, readFragment } from './generated/index.ts';
import { addAmounts, formatAmount } from './money.ts';

interface Properties {
  readonly debtors: readonly FragmentType<typeof DebtorRowFragment>[];
  readonly unreadable: number;
  readonly loading: boolean;
}

/** What is on the page, also for those who hear it rather than see it. */
export function Summary({ debtors, unreadable, loading }: Properties) {
  const amounts = readFragment(DebtorRowFragment, debtors).flatMap(
    ({ bookOpenAmount }) => bookOpenAmount ?? [],
  );
  return (
    <p className="summary" role="status">
      {loading && debtors.length === 0 && 'Loading debtors…'}
      {debtors.length > 0 && (
        <>
          <strong>{debtors.length}</strong> {debtors.length === 1 ? 'debtor' : 'debtors'} shown,{' '}
          <strong>{formatAmount(addAmounts(amounts))}</strong> open
        </>
      )}
      {unreadable > 0 && `, ${unreadable} could not be read`}
    </p>
  );
}
