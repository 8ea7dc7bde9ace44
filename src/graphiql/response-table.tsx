import { Button, UnStyledButton } from '@graphiql/react';
import { useState } from 'react';
import type { ListTable } from './list-table.ts';

/** More rows would make the page slow. */
const MAX_ROWS = 1000;

interface TableProps {
  readonly table: ListTable;
  /** The number of rows on the pages before; undefined if the page does not know them. */
  readonly offset: number | undefined;
  readonly onPreviousPage: (() => void) | undefined;
  readonly onNextPage: () => void;
}

/** Shows the list of a result instead of its JSON. */
export function ResponseTable({ table, offset, onPreviousPage, onNextPage }: TableProps) {
  const { columns, rows, totals, endCursor } = table;
  const [sorting, sort] = useState({ column: -1, isDescending: false });
  const { column, isDescending } = sorting;
  const isNumber = columns[column]?.isNumber;
  const compare = (a: string, b: string) => (isNumber ? Number(a) - Number(b) : a.localeCompare(b));
  const sorted = rows.toSorted((a, b) => compare(a[column] ?? '', b[column] ?? '') * (isDescending ? -1 : 1));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard can only scroll what has the focus.
    <section className="response-table" aria-label="Response as a table" tabIndex={0}>
      <p>
        {describeRows(table, offset)} {totals && `Totals of the list: ${totals}. `}
        {onPreviousPage && (
          <Button type="button" onClick={onPreviousPage}>
            Previous page
          </Button>
        )}{' '}
        {endCursor !== undefined && (
          <Button type="button" onClick={onNextPage}>
            Next page
          </Button>
        )}
      </p>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }, index) => (
              <th
                key={name}
                className={isNumber ? 'number' : undefined}
                aria-sort={index === column ? (isDescending ? 'descending' : 'ascending') : undefined}
              >
                <UnStyledButton
                  type="button"
                  title="Sort these rows"
                  onClick={() => sort({ column: index, isDescending: index === column && !isDescending })}
                >
                  {name}
                </UnStyledButton>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, MAX_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids and no state.
            <tr key={index}>
              {columns.map(({ name, isNumber }, column) => (
                <td key={name} className={isNumber ? 'number' : undefined} title={row[column] ?? undefined}>
                  {row[column] ?? <i>null</i>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function describeRows({ rows: { length }, isOfGroups, mayHaveMore, count = 0 }: ListTable, offset = -1) {
  const format = (count: number, unit: string) =>
    `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
  const more = mayHaveMore ? ' There may be more: increase “first”.' : '';
  if (length === 0) return 'The list is empty.';
  if (isOfGroups)
    return `${format(length, 'group')}${count > 0 ? ` of ${format(count, 'record')}` : ''}.${more}`;
  if (length > MAX_ROWS)
    return `The first ${format(MAX_ROWS, 'row')}; the CSV has all ${format(length, 'row')}.`;
  const range = offset < 0 ? format(length, 'row') : `Rows ${offset + 1}–${offset + length}`;
  if (count > length) return `${range} of ${count.toLocaleString('en')}.`;
  return `${range}.${count > 0 ? '' : more}`;
}
