import { type CallGroup, formatParameters, groupCalls } from './call-groups.ts';
import { formatMilliseconds, type RestCall, type Result, type ResultCost } from './result.ts';

/** A panel below the response that lists the REST calls behind it. */
export function RestCalls({ answer }: { readonly answer: Result }) {
  const { explain = [], cost, graphiql } = answer.extensions ?? {};
  return (
    <details className="rest-calls">
      <summary>
        <strong>REST calls</strong> {cost ? summarize(cost) : hint(answer)}
        <span title="Until this browser had the answer · of that in the gateway · of that in REST calls">
          {graphiql?.timing}
        </span>
      </summary>
      {explain.length > 0 && <CallTable calls={explain} />}
    </details>
  );
}

function hint({ data, errors }: Result): string {
  if (data !== undefined) return 'none known for this answer';
  return errors ? 'none: it did not run' : 'run an operation to see what it asks of the REST service';
}

function summarize({ calls, estimatedCalls, cacheHits, coalesced }: ResultCost): string {
  // Retries are not estimated.
  const limit = calls <= (estimatedCalls ?? -1) ? ` of at most ${estimatedCalls}` : '';
  const shared = coalesced > 0 ? ` · ${coalesced} coalesced` : '';
  return `${calls} made${limit} · ${cacheHits} from the cache${shared}`;
}

/** One row for each call, or for each walk through the pages of a list. */
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
      {groupCalls(calls).map((walk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole, never reordered.
        <Calls key={index} walk={walk} />
      ))}
    </table>
  );
}

function Calls({ walk: { total, pages } }: { readonly walk: CallGroup }) {
  const { method, path, parameters, status, rows, milliseconds, bytes, source } = total;
  return (
    <tbody>
      <tr>
        <td>
          <b>{method}</b> {path.split(/(?<=\/)/).flatMap((part) => [part, <wbr key={part} />])}
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
