import { useRef } from 'react';
import type { Connection } from './gateway.ts';
import type { Reading } from './known-debtors.ts';
import { RenewToken } from './renew-token.tsx';
import { useLive } from './use-live.ts';
import { useRefresh } from './use-refresh.ts';
import { useRenewal } from './use-renewal.ts';

interface Properties {
  readonly connection: Connection;
  /** When the first debtors were requested, in the gateway's time. */
  readonly readAt: number;
  /** Whether the page already asks for another token. */
  readonly isRefused: boolean;
  onRead(reading: Reading): void;
  onToken(token: string): void;
  /** Reads everything again. */
  onReload(): void;
}

const WORDS = {
  connected: 'Connected: changes show as they happen.',
  'catching up': 'Catching up…',
  'not possible': 'Polling every 30 s instead.',
  refused: 'Stopped.',
  expired: 'Reading everything again…',
};

/**
 * Keeps the rows up to date and shows the state. Says that deleted debtors stay, since the service does not
 * list them.
 */
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

  useRenewal(connection.renewals, isRefused ?? false, isAsking ? refresh : live.resume);

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
