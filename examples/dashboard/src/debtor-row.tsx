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
}

/** Drawn again only where its debtor was read again: there may be thousands. */
export const DebtorRow = memo(function DebtorRow(properties: Properties) {
  const { debtorNumber, name, labels, bookOpenAmount } = readFragment(DebtorRowFragment, properties.debtor);
  return (
    <tr>
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
