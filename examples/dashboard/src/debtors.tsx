import { useMemo, useReducer } from 'react';
import { DebtorList } from './debtor-list.tsx';
import { DownloadButton } from './download-button.tsx';
import { Filters } from './filters.tsx';
import { Freshness } from './freshness.tsx';
import type { Connection } from './gateway.ts';
import { mergeReading, NOTHING } from './known-debtors.ts';
import { readAmount } from './money.ts';
import { EVERYTHING, isEverything, type Question } from './question.ts';
import { useDebounced } from './use-debounced.ts';
import { useDebtors } from './use-debtors.ts';
import { useKeptScroll } from './use-kept-scroll.ts';

const PAUSE_IN_TYPING_MS = 250;

interface Properties {
  readonly connection: Connection;
  /** As the user typed it. */
  readonly question: Question;
  onAsk(question: Question): void;
  onToken(token: string): void;
  onReload(): void;
}

/** Shows the debtors of one administration: all of them, or those that match a question. */
export function Debtors({ connection, question, onAsk, onToken, onReload }: Properties) {
  const [known, onRead] = useReducer(mergeReading, NOTHING);
  const asked = useSettled(question);
  const isForAll = asked === EVERYTHING;
  const all = useDebtors(connection, EVERYTHING, known.revision, onRead);
  const found = useDebtors(connection, isForAll ? undefined : asked, known.revision, onRead);
  // Keeps the list of all debtors, so that its rows need not be read again, and shows it until a question has
  // a result.
  const shown = isForAll || !found.question ? all : found;
  const asking = isForAll ? all : found;
  const isAnswered = (shown.question ?? EVERYTHING) === asked && isSame(question, asked);
  useKeptScroll(shown.question ?? EVERYTHING);

  return (
    <main>
      <Filters question={question} labels={all.labels} onAsk={onAsk}>
        <DownloadButton connection={connection} question={asked} onToken={onToken} />
      </Filters>
      <DebtorList
        pages={{ ...shown, error: asking.error }}
        order={question.order}
        isAnswered={isAnswered}
        known={known}
        onOrder={(order) => onAsk({ ...question, order })}
        onMore={asking.loadNext}
        onToken={onToken}
      />
      {known.since !== undefined && (
        <Freshness
          connection={connection}
          readAt={known.since}
          isRefused={asking.error?.isRefusal ?? false}
          onRead={onRead}
          onToken={onToken}
          onReload={onReload}
        />
      )}
    </main>
  );
}

/** Returns the question once the user stops typing: the same object while it is unchanged. */
function useSettled({ text, label, minimum, order }: Question): Question {
  const settledText = useDebounced(text.trim(), PAUSE_IN_TYPING_MS);
  const settledMinimum = useDebounced(minimum, PAUSE_IN_TYPING_MS);
  return useMemo(() => {
    const settled = { text: settledText, label, minimum: readAmount(settledMinimum) ?? '', order };
    return isEverything(settled) ? EVERYTHING : settled;
  }, [settledText, label, settledMinimum, order]);
}

/** Whether the typed question equals the requested one. */
function isSame(one: Question, other: Question): boolean {
  return one.text.trim() === other.text && (readAmount(one.minimum) ?? '') === other.minimum;
}
