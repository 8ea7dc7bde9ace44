import { useGraphiQL } from '@graphiql/react';
import { type CallGroup, formatParameters, groupCalls } from './call-groups.ts';
import { formatMilliseconds, type RestCall, type Result, type ResultCost } from './result.ts';

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
      {explain.length > 0 && <CallTable calls={explain} />}
    </details>
  );
}

function describeMissing({ data, errors }: Result, isFetching: boolean): string {
  if (data !== undefined) return 'none known for this response';
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

/** One row for each call, or for all calls that read the pages of one list. */
function CallTable({ calls }: { readonly calls: readonly RestCall[] }) {
  return (
    <table>
      <thead>
        <tr>
          {['Call', 'Status', 'Rows', 'Time', 'Size', 'Source'].map((name) => (
            <th key={name} className={/Rows|Time|Size/.test(name) ? 'number' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {groupCalls(calls).map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole, never reordered.
        <Calls key={index} group={group} />
      ))}
    </table>
  );
}

function Calls({ group: { total, pages } }: { readonly group: CallGroup }) {
  const { method, path, parameters, status, rows, milliseconds, bytes, source } = total;
  return (
    <tbody>
      <tr>
        <td>
          <b>{method}</b> {path.split(/(?<=\/)/).flatMap((step) => [step, <wbr key={step} />])}
          {pages > 1 && ` · ${pages} pages`}
        </td>
        <td className={status !== null && status >= 400 ? 'failed' : undefined}>{status ?? '–'}</td>
        <td className="number">{rows ?? '–'}</td>
        <td className="number">{milliseconds === null ? '–' : formatMilliseconds(milliseconds)}</td>
        <td className="number">{bytes === null ? '–' : `${(bytes / 1000).toFixed(1)} kB`}</td>
        <td>{source}</td>
      </tr>
      {formatParameters(parameters).map(([name, value]) => (
        <tr key={name}>
          <td colSpan={6}>
            <div className="parameter" title={value}>
              <b>{name}</b> {value}
            </div>
          </td>
        </tr>
      ))}
    </tbody>
  );
}
