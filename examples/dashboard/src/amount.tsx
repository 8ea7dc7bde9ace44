import { Fragment } from 'react';
import { formatAmount, groupsOf } from './money.ts';

/** An amount that can wrap between groups of digits. */
export function Amount({ amount }: { readonly amount: string }) {
  return groupsOf(formatAmount(amount)).map((group, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the groups of an amount have their places only.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {group}
    </Fragment>
  ));
}
