import { useGraphiQL } from '@graphiql/react';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { buildRequestHeaders } from './headers.ts';
import { type CallEstimate, fetchEstimate } from './send.ts';
import type { PageProps } from './session.ts';
import { useRequestReader } from './tab-hooks.ts';

const DELAY_MS = 500;

/** Estimates the REST calls of the operation while the user types. */
export function RestCallEstimate({ settings: { endpoint }, session }: PageProps) {
  const [estimate, setEstimate] = useState<CallEstimate | null>(null);
  const readRequest = useRequestReader(session);
  const chosen = useSyncExternalStore(session.subscribe, () => session.get().administrationId);
  const typed = useGraphiQL(({ tabs, activeTabIndex, operationName }) => {
    const { query, variables, headers } = tabs[activeTabIndex] ?? {};
    return JSON.stringify([query, variables, headers, operationName]);
  });
  const update = useEffectEvent(async (signal: AbortSignal) => {
    try {
      const { operation, headers: tabHeaders, isSubscription } = readRequest();
      const headers = buildRequestHeaders(session.get(), tabHeaders);
      const fetched = await fetchEstimate({ url: endpoint, headers, operation, signal }, isSubscription);
      if (!signal.aborted) setEstimate(fetched);
    } catch {
      setEstimate(null);
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: estimates again after each change.
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(update, DELAY_MS, controller.signal);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [typed, chosen]);
  return <output className={estimate?.isTooExpensive ? 'failed' : undefined}>{estimate?.text}</output>;
}
