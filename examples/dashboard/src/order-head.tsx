import type { ReactNode } from 'react';
import type { DebtorOrder, DebtorOrderField, OrderDirection } from './generated/graphql.ts';

interface Properties {
  readonly field: DebtorOrderField;
  readonly order: DebtorOrder | undefined;
  /** The direction of the first click. */
  readonly startsWith?: OrderDirection;
  onOrder(order: DebtorOrder | undefined): void;
  readonly children: ReactNode;
}

const ARIA_SORT = { ASC: 'ascending', DESC: 'descending' } as const;
const REVERSE = { ASC: 'DESC', DESC: 'ASC' } as const;

/** A column head that sorts in one direction, then in the other, then not at all. */
export function OrderHead({ field, order, startsWith = 'ASC', onOrder, children }: Properties) {
  const direction = order?.field === field ? order.direction : undefined;
  function turn(): void {
    if (direction === undefined) onOrder({ field, direction: startsWith });
    else onOrder(direction === startsWith ? { field, direction: REVERSE[direction] } : undefined);
  }
  return (
    <th scope="col" aria-sort={direction ? ARIA_SORT[direction] : 'none'}>
      <button type="button" onClick={turn}>
        {children}
      </button>
    </th>
  );
}
