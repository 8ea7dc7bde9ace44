import { useRef } from 'react';
import type { Connection } from './gateway.ts';
import type { Reading } from './known-debtors.ts';
import { RenewToken } from './renew-token.tsx';
import { useLive } from './use-live.ts';
import { useRefresh } from './use-refresh.ts';
import { useRenewal } from './use-renewal.ts';

interface Properties {
  readonly connection: Connection;
  /** When the first debtors were asked for, by the gateway's clock. */
  readonly readAt: number;
  /** Whether the page asks for another token already. */
  readonly isRefused: boolean;
  onRead(reading: Reading): void;
  onToken(token: string): void;
  /** To read everything anew. */
  onReload(): void;
}

const WORDS = {
  connected: 'Connected: changes show as they happen.',
  'catching up': 'Catching up…',
  'not possible': 'Asking every 30 s instead.',
  refused: 'Stopped.',
  expired: 'Reading everything anew…',
};

/** Keeps what is shown up to date, and says how far it is. The service lists no deleted debtors, so it says that too. */
export function Freshness({
  connection,
  readAt,
  isRefused: isPageRefused,
  onRead,
  onToken,
  onReload,
}: Properties) {
  const fresh = useRef(readAt);
  const live = useLive(connection, fresh, onRead, onReload);
  const isAsking = live.state === 'not possible';
  const { freshAt, error, refresh } = useRefresh(connection, readAt, isAsking, onRead);
  fresh.current = freshAt;
  const moment = new Date(freshAt);
  const isRefused = live.state === 'refused' || (isAsking && error?.isRefusal);
  const trouble = isAsking ? error?.message : live.message;

  useRenewal(connection.renewals, isRefused ?? false, isAsking ? refresh : live.goOn);

  return (
    <footer>
      <p
        className="live"
        role="status"
        data-state={isPageRefused ? 'refused' : live.state}
        title={live.message}
      >
        {isPageRefused ? 'Waiting for another access token.' : WORDS[live.state]}
      </p>
      <p>
        {isAsking && (
          <>
            Changes until <time dateTime={moment.toISOString()}>{moment.toLocaleTimeString()}</time> are
            shown;{' '}
          </>
        )}
        {isAsking ? 'deleted' : 'Deleted'} debtors stay until you reload.
      </p>
      {/* Always there, so that a screen reader notices when it is filled. */}
      <div className="not-refreshed" role="status">
        {trouble && (
          <p>
            <strong>Not refreshed.</strong> {trouble}
          </p>
        )}
        {isRefused && !isPageRefused && <RenewToken onToken={onToken} />}
      </div>
    </footer>
  );
}
