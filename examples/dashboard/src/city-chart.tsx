import type { CSSProperties } from 'react';
import { Amount } from './amount.tsx';
import { type FragmentType, graphql, readFragment } from './generated/index.ts';

const CityBar = graphql(`
  fragment CityBar on DebtorGroup {
    key
    totals {
      bookOpenAmount {
        sum
      }
    }
  }
`);

interface Properties {
  /** Absent if they were not read yet, null if they could not be read. */
  readonly cities: readonly FragmentType<typeof CityBar>[] | null | undefined;
}

/** Shows the cities with the largest open amounts. The gateway groups, adds and sorts them. */
export function CityChart({ cities }: Properties) {
  const bars = cities?.map((city) => readFragment(CityBar, city)) ?? [];
  if (bars.length === 0) return null;
  // For the length of a bar, losing cents is harmless.
  const longest = Math.max(...bars.map(({ totals }) => Number(totals.bookOpenAmount.sum)));
  return (
    <aside className="chart">
      <h2>Open amount by city</h2>
      <ol>
        {bars.map(({ key, totals: { bookOpenAmount } }) => {
          const share = longest > 0 ? Math.max(0, Number(bookOpenAmount.sum) / longest) : 0;
          return (
            <li key={key ?? ''} style={{ '--share': share } as CSSProperties}>
              <span className="city">{key || 'No city'}</span>
              <span className="sum">
                <Amount amount={bookOpenAmount.sum} />
              </span>
            </li>
          );
        })}
      </ol>
    </aside>
  );
}
