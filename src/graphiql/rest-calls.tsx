import { useGraphiQL } from '@graphiql/react';
import { type CallGroup, formatParameters, groupCalls } from './call-groups.ts';
import { formatMilliseconds, type Result, type ResultCost } from './result.ts';

/** The panel below the response that lists its REST calls. */
export function RestCalls({ result }: { readonly result: Result }) {
  const isFetching = useGraphiQL((state) => state.isFetching);
  const { explain = [], cost, graphiql } = result.extensions ?? {};
  return (
    <details className="rest-calls">
      <summary>
        <strong>REST calls</strong> {cost ? describeCost(cost) : describeMissing(result, isFetching)}
        <span title="Time until the browser had the response · time in the gateway · time in REST calls">
          {graphiql?.timing}
        </span>
      </summary>
      <ul>
        {groupCalls(explain).map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole, never reordered.
          <Calls key={index} group={group} />
        ))}
      </ul>
    </details>
  );
}

function describeMissing({ data, errors, extensions }: Result, isFetching: boolean): string {
  if (data !== undefined) return extensions?.graphiql?.events ? '' : 'none known for this response';
  if (errors) return 'none: the operation did not run';
  return isFetching ? 'waiting for the first result' : 'run an operation to see which calls it makes';
}

function describeCost({ calls, estimatedCalls, maxCalls, cacheHits, coalesced }: ResultCost): string {
  // The estimate does not include retries.
  const estimate = calls <= (estimatedCalls ?? -1) ? ` of at most ${estimatedCalls}` : '';
  const limit = maxCalls ? ` · limit ${maxCalls}` : '';
  const shared = coalesced > 0 ? ` · ${coalesced} coalesced` : '';
  return `${calls} made${estimate}${limit} · ${cacheHits} from the cache${shared}`;
}

/** One call, or all calls that read the pages of one list. */
function Calls({ group: { total, pages } }: { readonly group: CallGroup }) {
  const { method, path, parameters, status, rows, milliseconds, bytes, source } = total;
  const facts = [
    pages > 1 && `${pages} pages`,
    rows !== null && (rows === 1 ? '1 row' : `${rows} rows`),
    milliseconds !== null && formatMilliseconds(milliseconds),
    bytes !== null && `${(bytes / 1000).toFixed(1)} kB`,
    source,
  ];
  return (
    <li>
      <code>
        <b>{method}</b> {path}
      </code>{' '}
      · <span className={(status ?? 0) >= 400 ? 'failed' : undefined}>{status ?? 'no status'}</span> ·{' '}
      {facts.filter(Boolean).join(' · ')}
      {formatParameters(parameters).map(([name, value]) => (
        <p key={name} title={value}>
          <b>{name}</b> {value}
        </p>
      ))}
    </li>
  );
}
