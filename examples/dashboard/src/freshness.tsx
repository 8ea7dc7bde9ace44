import type { Connection } from './gateway.ts';
import type { Reading } from './known-debtors.ts';
import { useRefresh } from './use-refresh.ts';

interface Properties {
  readonly connection: Connection;
  /** When the first debtors were asked for, by the gateway's clock. */
  readonly readAt: number;
  onRead(reading: Reading): void;
  onLeave(): void;
}

/** Keeps what is shown up to date, and says how far it is. The service lists no deleted debtors, so it says that too. */
export function Freshness({ connection, readAt, onRead, onLeave }: Properties) {
  const { freshAt, error, refresh } = useRefresh(connection, readAt, onRead);
  const moment = new Date(freshAt);
  return (
    <footer>
      <p>
        Changes until <time dateTime={moment.toISOString()}>{moment.toLocaleTimeString()}</time> are shown in
        their rows; the order and deleted debtors stay until you reload.
      </p>
      {/* Always there, so that a screen reader notices when it is filled. */}
      <div className="not-refreshed" role="status">
        {error && (
          <>
            <p>
              <strong>Not refreshed.</strong> {error.message}
            </p>
            {error.isRefusal && (
              <div className="actions">
                <button type="button" onClick={onLeave}>
                  Use another token
                </button>
                <button type="button" className="quiet" onClick={refresh}>
                  Try again
                </button>
              </div>
            )}
          </>
        )}
      </div>
    </footer>
  );
}
