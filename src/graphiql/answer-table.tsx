import { useMemo, useState } from 'react';
import { type ListTable, orderRows, type RowOrder } from './list-table.ts';

/** More would make the page slow, and nobody reads them here. */
const MAX_ROWS = 1000;

interface TableProps {
  readonly table: ListTable;
  /** Whether there may be more groups than these. */
  readonly isCut: boolean;
  /** Undefined where the next page would be of another list. */
  readonly onNextPage: (() => void) | undefined;
}

/** The list of an answer, in the place of its JSON. */
export function AnswerTable({ table, isCut, onNextPage }: TableProps) {
  const [order, setOrder] = useState<RowOrder>();
  const rows = useMemo(() => (order ? orderRows(table, order) : table.rows), [table, order]);

  /** One way, then the other, then as the gateway gave them. */
  function turn(column: number): void {
    if (order?.column !== column) setOrder({ column, isDescending: false });
    else setOrder(order.isDescending ? undefined : { column, isDescending: true });
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard can only scroll what has the focus.
    <section className="answer-table" aria-label="Answer as a table" tabIndex={0}>
      <p>
        {countText(rows.length, table.total)} {isCut && 'There may be more groups: give a larger “first”.'}{' '}
        {rows.length > 1 && 'A column head orders these rows; orderBy orders the whole list.'}{' '}
        {table.endCursor !== null && onNextPage && (
          <button type="button" onClick={onNextPage}>
            Next page
          </button>
        )}
      </p>
      <table>
        <thead>
          <tr>
            {table.columns.map(({ name, isNumber }, column) => (
              <th key={name} className={isNumber ? 'number' : undefined} aria-sort={sortOf(order, column)}>
                <button type="button" onClick={() => turn(column)}>
                  {name}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and hold no state.
            <tr key={index}>
              {table.columns.map(({ name, isNumber }, column) => {
                const text = row[column] ?? undefined;
                return (
                  <td key={name} className={classOf(isNumber, text)} title={text}>
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function countText(count: number, total: number | null): string {
  if (count === 0) return 'The list is empty.';
  if (count > MAX_ROWS) return `The first ${MAX_ROWS} of ${count} rows; the CSV has them all.`;
  const rows = count === 1 ? '1 row' : `${count} rows`;
  return total !== null && total > count ? `${rows} of ${total}.` : `${rows}.`;
}

function classOf(isNumber: boolean, text: string | undefined): string | undefined {
  if (text === undefined) return isNumber ? 'number null' : 'null';
  return isNumber ? 'number' : undefined;
}

function sortOf(order: RowOrder | undefined, column: number): 'ascending' | 'descending' | 'none' {
  if (order?.column !== column) return 'none';
  return order.isDescending ? 'descending' : 'ascending';
}
