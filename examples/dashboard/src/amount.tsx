import { Fragment } from 'react';
import { formatAmount, groupsOf } from './money.ts';

/** An amount that breaks between groups of digits where it does not fit in one line. */
export function Amount({ amount }: { readonly amount: string }) {
  return groupsOf(formatAmount(amount)).map((group, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the groups of an amount have their places only.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {group}
    </Fragment>
  ));
}
