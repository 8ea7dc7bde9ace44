import { useCallback } from 'react';
import { DebtorRow } from './debtor-row.tsx';
import { Failure } from './failure.tsx';
import type { Connection } from './gateway.ts';
import { debtorsOf, type KnownDebtors, type Reading } from './known-debtors.ts';
import { MoreButton } from './more-button.tsx';
import { Summary } from './summary.tsx';
import { useDebtors } from './use-debtors.ts';

interface Properties {
  readonly connection: Connection;
  /** Empty for all debtors. */
  readonly debtorNumber: string;
  readonly known: KnownDebtors;
  onRead(reading: Reading): void;
  onLeave(): void;
}

export function DebtorList({ connection, debtorNumber, known, onRead, onLeave }: Properties) {
  const { ids, unreadable, next, status, error, load } = useDebtors(connection, debtorNumber, onRead);
  const loadNext = useCallback(() => load(next), [load, next]);
  const isWhole = debtorNumber === '' && status === 'ready' && next === undefined;
  const debtors = debtorsOf(known, ids, isWhole);

  return (
    <>
      <Summary debtors={debtors} unreadable={unreadable} loading={status === 'loading'} />
      {debtors.length > 0 && (
        <table>
          <caption>Debtors and what they still have to pay</caption>
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">Name</th>
              <th scope="col">Labels</th>
              <th scope="col">Open amount</th>
            </tr>
          </thead>
          <tbody>
            {debtors.map((debtor) => (
              <DebtorRow key={debtor.id} debtor={debtor} />
            ))}
          </tbody>
        </table>
      )}
      {status === 'ready' && debtors.length === 0 && (
        <p className="notice">
          {debtorNumber === ''
            ? 'This administration has no debtors.'
            : `No debtor has the number ${debtorNumber}.`}
        </p>
      )}
      {error && <Failure error={error} onRetry={loadNext} onLeave={onLeave} />}
      {!error && next && <MoreButton loading={status === 'loading'} onMore={loadNext} />}
    </>
  );
}
