import { useReducer } from 'react';
import { DebtorList } from './debtor-list.tsx';
import { Freshness } from './freshness.tsx';
import type { Connection } from './gateway.ts';
import { mergeReading, NOTHING } from './known-debtors.ts';
import { useDebounced } from './use-debounced.ts';
import { useKeptScroll } from './use-kept-scroll.ts';

const PAUSE_IN_TYPING_MS = 250;

interface Properties {
  readonly connection: Connection;
  /** What is typed to be looked for; empty for all debtors. */
  readonly typed: string;
  onLeave(): void;
}

/** The debtors of one administration: all of them, or what is looked for. */
export function Debtors({ connection, typed, onLeave }: Properties) {
  const [known, onRead] = useReducer(mergeReading, NOTHING);
  const debtorNumber = useDebounced(typed.trim(), PAUSE_IN_TYPING_MS);
  const isSearching = debtorNumber !== '';
  useKeptScroll(!isSearching);

  const list = { connection, known, onRead, onLeave };
  return (
    <main aria-busy={debtorNumber !== typed.trim()}>
      {/* Hidden rather than removed, so that its rows need not be read again. */}
      <div hidden={isSearching}>
        <DebtorList {...list} debtorNumber="" />
      </div>
      {/* Each question has a list of its own, so none ever shows an answer to another. */}
      {isSearching && <DebtorList {...list} key={debtorNumber} debtorNumber={debtorNumber} />}
      {known.since !== undefined && (
        <Freshness connection={connection} readAt={known.since} onRead={onRead} onLeave={onLeave} />
      )}
    </main>
  );
}
