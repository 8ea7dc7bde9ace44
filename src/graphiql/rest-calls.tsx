import { useGraphiQL } from '@graphiql/react';
import { useMemo, useState } from 'react';
import { notesOf } from './answer-notes.ts';
import { useAnswerView } from './answer-view.ts';
import { CallTable } from './call-table.tsx';
import { type Cost, explainResponse } from './explain.ts';

/** A panel below the response that lists the REST calls behind it. */
export function RestCalls() {
  // Derived from the response itself, so that the panel always matches the response shown.
  const response = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response ?? '');
  const explanation = useMemo(() => explainResponse(response), [response]);
  const { timing } = useMemo(() => notesOf(response), [response]);
  const [isOpen, setOpen] = useState(true);
  const [isExplainShown, showExplain] = useState(false);
  useAnswerView(isExplainShown);
  const calls = typeof explanation === 'object' ? explanation.calls : [];
  return (
    <section className="rest-calls" aria-label="REST calls">
      <div className="bar">
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <strong>REST calls</strong>{' '}
          {typeof explanation === 'object' ? summarize(explanation.cost) : hint(response, explanation)}
        </button>
        {timing !== null && (
          <span
            className="timing"
            title="Until this browser had the answer · of that in the gateway · of that in REST calls"
          >
            {timing}
          </span>
        )}
        <label>
          <input
            type="checkbox"
            checked={isExplainShown}
            onChange={(event) => showExplain(event.target.checked)}
          />
          list the calls in the JSON
        </label>
      </div>
      {isOpen && calls.length > 0 && <CallTable calls={calls} />}
    </section>
  );
}

function hint(response: string, explanation: 'refused' | undefined): string {
  if (explanation === 'refused') return 'none: refused before it ran';
  return response ? 'none known for this answer' : 'run an operation to see what it asks of the REST service';
}

function summarize({ calls, estimatedCalls, cacheHits, coalesced }: Cost): string {
  const parts: readonly (readonly [count: number | null, label: string])[] = [
    [calls, 'made'],
    [estimatedCalls, 'estimated'],
    [cacheHits, 'from the cache'],
    [coalesced || null, 'coalesced'],
  ];
  return parts.flatMap(([count, label]) => (count === null ? [] : `${count} ${label}`)).join(' · ');
}
