import { Button, UnStyledButton } from '@graphiql/react';
import { useState } from 'react';
import { getGroupArguments, type OperationRequest } from './list-argument.ts';
import type { ListTable } from './list-table.ts';

/** More rows would make the page slow. */
const MAX_ROWS = 1000;

interface TableProps {
  readonly table: ListTable;
  readonly operation: OperationRequest | undefined;
  /** The number of rows on the pages before; undefined if the page does not know them. */
  readonly offset: number | undefined;
  readonly onPreviousPage: (() => void) | undefined;
  readonly onNextPage: () => void;
}

/** Shows the list of a result instead of its JSON. */
export function ResponseTable({ table, operation, offset, onPreviousPage, onNextPage }: TableProps) {
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
        {describeRows(table, offset)} {operation && describeGroups(operation, rows.length)}{' '}
        {totals && totals !== `count ${table.total}` && `Totals of the list: ${totals}. `}
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

function describeRows({ rows: { length }, total = 0 }: ListTable, offset: number | undefined): string {
  const format = (count: number) => count.toLocaleString('en');
  if (length === 0) return 'The list is empty.';
  if (length > MAX_ROWS)
    return `The first ${format(MAX_ROWS)} of ${format(length)} rows; the CSV has them all.`;
  const rows = length === 1 ? '1 row' : `${format(length)} rows`;
  const range = offset === undefined ? rows : `Rows ${format(offset + 1)}–${format(offset + length)}`;
  return total > length ? `${range} of ${format(total)}.` : `${range}.`;
}

function describeGroups(operation: OperationRequest, count: number): string {
  const groups = getGroupArguments(operation);
  if (!groups) return '';
  const [, unit] = /^UPDATED_AT_(\w+)$/.exec(groups.by) ?? [];
  const meaning = unit ? `The key is the ${unit.toLowerCase()} of each record’s last change. ` : '';
  return meaning + (count === groups.first ? 'There may be more groups: increase “first”.' : '');
}
