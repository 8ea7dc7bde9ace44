import { memo } from 'react';
import { type FragmentType, graphql, readFragment } from './generated/index.ts';
import { formatAmount } from './money.ts';

export const DebtorRowFragment = graphql(`
  fragment DebtorRow on Debtor {
    debtorNumber
    name
    bookOpenAmount
    labels {
      name
    }
  }
`);

interface Properties {
  readonly debtor: FragmentType<typeof DebtorRowFragment>;
  /** By the timer of this page; absent if it was never seen to change. */
  readonly changedAt: number | undefined;
}

/** Drawn again only where its debtor was read again: there may be thousands. */
export const DebtorRow = memo(function DebtorRow({ debtor, changedAt }: Properties) {
  const { debtorNumber, name, labels, bookOpenAmount } = readFragment(DebtorRowFragment, debtor);
  // Counts from the change: a row that is scrolled to, or shown again, does not light up for what is long past.
  const light = changedAt !== undefined && { animationDelay: `${changedAt - performance.now()}ms` };
  return (
    <tr {...(light && { className: 'changed', style: light })}>
      <td className="number">{debtorNumber}</td>
      <th scope="row">{name}</th>
      <td className="labels">
        {labels?.map((label) => (
          <span key={label.name} className="label">
            {label.name}
          </span>
        ))}
      </td>
      <td className="amount">{bookOpenAmount === null ? 'unknown' : formatAmount(bookOpenAmount)}</td>
    </tr>
  );
});
