import { Button } from '@graphiql/react';
import { getGroupArguments, type OperationRequest } from './list-argument.ts';
import type { ListTable } from './list-table.ts';

/** More would make the page slow, and nobody reads them here. */
const MAX_ROWS = 1000;

interface TableProps {
  readonly table: ListTable;
  readonly operation: OperationRequest | undefined;
  readonly onNextPage: () => void;
}

/** The list of an answer, in the place of its JSON. */
export function ResponseTable({ table, operation, onNextPage }: TableProps) {
  const { columns, rows, total, endCursor } = table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard can only scroll what has the focus.
    <section className="response-table" aria-label="Result as a table" tabIndex={0}>
      <p>
        {countText(rows.length, total)} {operation && groupsText(operation, rows.length)}{' '}
        {endCursor !== undefined && (
          <Button type="button" onClick={onNextPage}>
            Next page
          </Button>
        )}
      </p>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} className={isNumber ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and hold no state.
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

function countText(count: number, total = 0): string {
  if (count === 0) return 'The list is empty.';
  if (count > MAX_ROWS) return `The first ${MAX_ROWS} of ${count} rows; the CSV has them all.`;
  const rows = count === 1 ? '1 row' : `${count} rows`;
  return total > count ? `${rows} of ${total}.` : `${rows}.`;
}

function groupsText(operation: OperationRequest, count: number): string {
  const groups = getGroupArguments(operation);
  if (!groups) return '';
  const [, unit] = /^UPDATED_AT_(\w+)$/.exec(groups.by) ?? [];
  const meaning = unit ? `The key is the ${unit.toLowerCase()} of each record’s last change. ` : '';
  return meaning + (count === groups.first ? 'There may be more groups: give a larger “first”.' : '');
}
