import { CityChart } from './city-chart.tsx';
import type { DebtorPages } from './debtor-pages.ts';
import { DebtorRow } from './debtor-row.tsx';
import { Failure } from './failure.tsx';
import type { DebtorOrder } from './generated/graphql.ts';
import { debtorsOf, type KnownDebtors } from './known-debtors.ts';
import { MoreButton } from './more-button.tsx';
import { OrderHead } from './order-head.tsx';
import { EVERYTHING } from './question.ts';
import { ShownPart, Summary } from './summary.tsx';

interface Properties {
  readonly pages: DebtorPages;
  /** The selected order, even if its rows have not arrived yet. */
  readonly order: DebtorOrder | undefined;
  /** Whether the rows are the result of the current question. */
  readonly isAnswered: boolean;
  readonly known: KnownDebtors;
  onOrder(order: DebtorOrder | undefined): void;
  onMore(): void;
  onToken(token: string): void;
}

export function DebtorList({ pages, order, isAnswered, known, onOrder, onMore, onToken }: Properties) {
  const { question, ids, next, status, error, totals, cities } = pages;
  const isForAll = question === EVERYTHING;
  const debtors = debtorsOf(known, ids, isForAll && status === 'ready' && next === undefined);

  return (
    <div className="list" aria-busy={!isAnswered}>
      <Summary pages={pages} shown={debtors.length} />
      <CityChart cities={cities} />
      {debtors.length > 0 && (
        <table>
          <caption>Debtors and what they still have to pay, in the currency of the administration</caption>
          <thead>
            <tr>
              <OrderHead field="DEBTOR_NUMBER" order={order} onOrder={onOrder}>
                Number
              </OrderHead>
              <OrderHead field="NAME" order={order} onOrder={onOrder}>
                Name
              </OrderHead>
              <th scope="col">Labels</th>
              <OrderHead field="BOOK_OPEN_AMOUNT" order={order} onOrder={onOrder} startsWith="DESC">
                Open amount
              </OrderHead>
            </tr>
          </thead>
          <tbody>
            {debtors.map(({ debtor, changedAt }) => (
              // A new key for each change, so that the row lights up again.
              <DebtorRow key={`${debtor.id} ${changedAt}`} debtor={debtor} changedAt={changedAt} />
            ))}
          </tbody>
        </table>
      )}
      {status === 'ready' && debtors.length === 0 && (
        <p className="notice">{isForAll ? 'This administration has no debtors.' : 'No debtor matches.'}</p>
      )}
      {error && <Failure error={error} onRetry={onMore} onToken={onToken} />}
      {!error && next && (
        <div className="end">
          <p>
            <ShownPart shown={debtors.length} totals={totals} />
          </p>
          <MoreButton loading={status === 'loading' || !isAnswered} onMore={onMore} />
        </div>
      )}
    </div>
  );
}
