import { memo } from 'react';
import { Amount } from './amount.tsx';
import { type FragmentType, graphql, readFragment } from './generated/index.ts';

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

/** More labels would make the row taller than the screen. */
const MAX_LABELS = 3;

interface Properties {
  readonly debtor: FragmentType<typeof DebtorRowFragment>;
  /** In the time of `performance.now()`; absent if the page has not seen a change. */
  readonly changedAt: number | undefined;
}

/** Renders again only if its debtor was read again: there can be thousands of rows. */
export const DebtorRow = memo(function DebtorRow({ debtor, changedAt }: Properties) {
  const { debtorNumber, name, labels, bookOpenAmount } = readFragment(DebtorRowFragment, debtor);
  // Counts from the change, so that a row that scrolls into view does not light up for an old change.
  const light = changedAt !== undefined && { animationDelay: `${changedAt - performance.now()}ms` };
  return (
    <tr {...(light && { className: 'changed', style: light })}>
      <td className="number">{debtorNumber}</td>
      <th scope="row">{name}</th>
      <td className="labels">
        <Labels names={labels?.map((label) => label.name) ?? []} />
      </td>
      <td className="amount">{bookOpenAmount === null ? 'unknown' : <Amount amount={bookOpenAmount} />}</td>
    </tr>
  );
});

function Labels({ names }: { readonly names: readonly string[] }) {
  const others = names.slice(MAX_LABELS);
  return (
    <>
      {names.slice(0, MAX_LABELS).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a debtor may have two labels of one name.
        <span key={index} className="label">
          {name}
        </span>
      ))}
      {others.length > 0 && (
        <span className="label others" title={others.join(', ')}>
          +{others.length}
        </span>
      )}
    </>
  );
}
