import { type GraphiQLPlugin, HistoryIcon, TrashIcon } from '@graphiql/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { hasWords, keyOf, type PastRun, type RunHistory, titleOf } from './history.ts';
import { useOpenTab } from './tab-hooks.ts';

/** A panel beside the editors that lists what was run. GraphiQL's own would store the headers of every run. */
export function historyPlugin(history: RunHistory): GraphiQLPlugin {
  return { title: 'History', icon: HistoryIcon, content: () => <History history={history} /> };
}

function History({ history }: { readonly history: RunHistory }) {
  const runs = useSyncExternalStore(history.subscribe, history.get);
  const [search, setSearch] = useState('');
  const found = runs.filter(({ query, variables }) => hasWords(`${query}\n${variables}`, search));
  useEffect(() => {
    history.load();
    addEventListener('storage', history.load);
    return () => removeEventListener('storage', history.load);
  }, [history]);
  return (
    <section className="history" aria-label="History">
      <h2>History</h2>
      {runs.length === 0 ? (
        <p>
          What you run is listed here, and stays in this browser. Tokens and headers are never part of it.
        </p>
      ) : (
        <div className="actions">
          <input
            type="search"
            aria-label="Search the history"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <button type="button" onClick={history.clear}>
            Clear
          </button>
        </div>
      )}
      {runs.length > 0 && found.length === 0 && <p>Nothing in the history has these words.</p>}
      <ol aria-label="Operations, the newest first">
        {found.map((run) => (
          <RunLine key={keyOf(run)} run={run} onRemove={() => history.remove(run)} />
        ))}
      </ol>
    </section>
  );
}

function RunLine({ run, onRemove }: { readonly run: PastRun; readonly onRemove: () => void }) {
  const openTab = useOpenTab();
  const title = titleOf(run);
  const moment = new Date(run.time);
  return (
    <li>
      <button
        type="button"
        className="open"
        title={run.query}
        onClick={() => openTab({ ...run, headers: null }, run.operationName)}
      >
        <b>{title}</b>
        <span>{run.variables.replace(/\s+/g, ' ')}</span>
        <time dateTime={moment.toISOString()}>{formatTime(moment)}</time>
      </button>
      <button type="button" aria-label={`Remove ${title} from the history`} onClick={onRemove}>
        <TrashIcon aria-hidden="true" />
      </button>
    </li>
  );
}

/** The time alone for today. */
function formatTime(moment: Date): string {
  const isToday = moment.toDateString() === new Date().toDateString();
  return isToday ? moment.toLocaleTimeString() : moment.toLocaleString();
}
