import type { GraphiQLPlugin } from '@graphiql/react';
import { memo, useState, useSyncExternalStore } from 'react';
import type { ChangeFeed } from './change-feed.ts';
import { type Entry, KINDS } from './change-stream.ts';
import { LineIcon } from './icon.tsx';
import type { Session } from './session.ts';

/** A panel beside the editors that shows what changes in the chosen administration. It goes on while it is closed. */
export function changesPlugin(feed: ChangeFeed, session: Session): GraphiQLPlugin {
  return {
    title: 'Changes',
    icon: () => <LineIcon path="M2 12h5l3-8 4 16 3-8h5" />,
    content: () => <Changes feed={feed} session={session} />,
  };
}

function Changes({ feed, session }: { readonly feed: ChangeFeed; readonly session: Session }) {
  const { status, note, isFailure, entries, kinds, place } = useSyncExternalStore(feed.subscribe, feed.get);
  const administrationId = useSyncExternalStore(session.subscribe, () => session.get().administrationId);
  const isRunning = status !== 'stopped';
  const canStart = administrationId !== '' && kinds.length > 0;
  return (
    <section className="changes" aria-label="Changes">
      <h2>Changes</h2>
      <fieldset disabled={isRunning}>
        <legend>
          {administrationId === ''
            ? 'Choose an administration above first.'
            : `In administration ${administrationId}`}
        </legend>
        {KINDS.map(([kind, title]) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={(event) =>
                feed.choose(
                  event.target.checked ? [...kinds, kind] : kinds.filter((chosen) => chosen !== kind),
                )
              }
            />
            {title}
          </label>
        ))}
      </fieldset>
      <div className="actions">
        <button type="button" disabled={!isRunning && !canStart} onClick={isRunning ? feed.stop : feed.start}>
          {isRunning ? 'Stop' : 'Start'}
        </button>
        {!isRunning && place && (
          <button type="button" disabled={!canStart} onClick={feed.startAnew}>
            Start anew
          </button>
        )}
      </div>
      <p role="status" className={isFailure ? 'failed' : undefined} data-status={status}>
        {note}
      </p>
      {entries.length > 0 && (
        <ol aria-label="Changes, the newest first">
          {entries.map((entry) => (
            <EntryLine key={entry.number} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** There may be hundreds, so one is drawn once, and its JSON only when it is opened. */
const EntryLine = memo(function EntryLine({ entry }: { readonly entry: Entry }) {
  const { time, title, subject, event } = entry;
  const [isOpen, setOpen] = useState(false);
  const moment = new Date(time);
  const head = (
    <>
      <time dateTime={moment.toISOString()}>{moment.toLocaleTimeString()}</time> <b>{title}</b>{' '}
      <span>{subject}</span>
    </>
  );
  if (!event) return <li className="failed">{head}</li>;
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{head}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide JSON is scrolled by keyboard too. */}
        {isOpen && <pre tabIndex={0}>{JSON.stringify(event, null, 2)}</pre>}
      </details>
    </li>
  );
});
