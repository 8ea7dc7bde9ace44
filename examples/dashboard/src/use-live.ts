import { useCallback, useEffect, useRef, useState } from 'react';
import { type Connection, subscribe } from './gateway.ts';
import type { ChangesSubscription } from './generated/graphql.ts';
import { graphql } from './generated/index.ts';
import type { Debtor, Reading } from './known-debtors.ts';
import { follow, type LiveStatus, type StreamPosition } from './live.ts';
import { useVisibility } from './use-alarm.ts';
import { OVERLAP_MS } from './use-refresh.ts';

// A deleted credit case changes what its debtor owes, so select the debtor too.
const Changes = graphql(`
  subscription Changes($administrationId: ID!, $since: DateTime, $after: String) {
    changes(
      administrationId: $administrationId
      kinds: [DEBTOR_CHANGED, CREDIT_CASE_DELETED]
      since: $since
      after: $after
    ) {
      ... on DebtorChanged {
        debtor {
          id
          ...DebtorRow
        }
      }
      ... on CreditCaseDeleted {
        deletedCreditCase {
          debtor {
            id
            ...DebtorRow
          }
        }
      }
    }
  }
`);

/**
 * Passes changes to `onRead` while the page is visible: a browser has only six connections to a server for
 * all its tabs. Everything up to `fresh`, in the gateway's time, was read before. `resume` resumes after a
 * rejected token.
 */
export function useLive(
  { administrationId, token }: Connection,
  fresh: { readonly current: number },
  onRead: (reading: Reading) => void,
  onExpired: () => void,
) {
  const [status, setStatus] = useState<LiveStatus>({ state: 'catching up' });
  const position = useRef<StreamPosition>({});
  const isVisible = useVisibility();
  // Do not resend a rejected token automatically: the service might consider it an attack.
  const isStopped = !isVisible || status.state === 'refused';

  useEffect(() => {
    if (isStopped) return undefined;
    const abort = new AbortController();
    const followed = {
      position: position.current,
      open: (cursor: string | undefined, signal: AbortSignal) =>
        subscribe(token(), Changes, { administrationId, ...startOf(cursor, fresh.current) }, signal),
      onData(data: readonly ChangesSubscription[]) {
        const debtors = data.flatMap(({ changes }) => debtorOf(changes) ?? []);
        onRead({ debtors, sent: { at: performance.now(), gatewayTime: Date.now() }, isRefresh: true });
      },
      onStatus(next: LiveStatus) {
        setStatus(next);
        if (next.state === 'expired') onExpired();
      },
    };
    void follow(followed, abort.signal);
    return () => abort.abort();
  }, [administrationId, token, fresh, isStopped, onRead, onExpired]);

  // After the page was hidden, its rows may be out of date.
  useEffect(() => {
    if (!isVisible) setStatus((before) => (before.state === 'connected' ? { state: 'catching up' } : before));
  }, [isVisible]);

  const resume = useCallback(() => setStatus({ state: 'catching up' }), []);

  return { ...status, resume };
}

function startOf(cursor: string | undefined, freshAt: number) {
  return cursor === undefined ? { since: new Date(freshAt - OVERLAP_MS).toISOString() } : { after: cursor };
}

/** Null if the debtor of the credit case was deleted too. */
function debtorOf(change: ChangesSubscription['changes']): Debtor | null | undefined {
  return 'debtor' in change
    ? change.debtor
    : 'deletedCreditCase' in change
      ? change.deletedCreditCase.debtor
      : undefined;
}
