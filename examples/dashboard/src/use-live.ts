import { useCallback, useEffect, useRef, useState } from 'react';
import { type Connection, subscribe } from './gateway.ts';
import type { ChangesSubscription } from './generated/graphql.ts';
import { graphql } from './generated/index.ts';
import type { Debtor, Reading } from './known-debtors.ts';
import { follow, type LiveStatus, type Place } from './live.ts';
import { useVisibility } from './use-alarm.ts';
import { OVERLAP_MS } from './use-refresh.ts';

// A deleted credit case changes what its debtor owes, so the debtor comes along.
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
 * Tells changes as they happen, while the page can be seen: a browser has but six connections to one server, for all of
 * its tabs. All that changed until `fresh` was read, by the gateway's clock. `goOn` follows a refusal.
 */
export function useLive(
  { administrationId, token }: Connection,
  fresh: { readonly current: number },
  onRead: (reading: Reading) => void,
  onExpired: () => void,
) {
  const [status, setStatus] = useState<LiveStatus>({ state: 'catching up' });
  const place = useRef<Place>({});
  const isVisible = useVisibility();
  // A token that was refused is not sent again by itself: the service might take that for an attack.
  const isStopped = !isVisible || status.state === 'refused';

  useEffect(() => {
    if (isStopped) return undefined;
    const abort = new AbortController();
    const followed = {
      place: place.current,
      open: (cursor: string | undefined, signal: AbortSignal) =>
        subscribe(token(), Changes, { administrationId, ...placeOf(cursor, fresh.current) }, signal),
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

  // What was shown last is no longer the newest when the page is seen again.
  useEffect(() => {
    if (!isVisible) setStatus((before) => (before.state === 'connected' ? { state: 'catching up' } : before));
  }, [isVisible]);

  const goOn = useCallback(() => setStatus({ state: 'catching up' }), []);

  return { ...status, goOn };
}

function placeOf(cursor: string | undefined, freshAt: number) {
  return cursor === undefined ? { since: new Date(freshAt - OVERLAP_MS).toISOString() } : { after: cursor };
}

/** Null where the debtor of a credit case is gone too. */
function debtorOf(change: ChangesSubscription['changes']): Debtor | null | undefined {
  return 'debtor' in change
    ? change.debtor
    : 'deletedCreditCase' in change
      ? change.deletedCreditCase.debtor
      : undefined;
}
