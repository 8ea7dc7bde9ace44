import { useGraphiQL } from '@graphiql/react';
import { useMemo } from 'react';
import { type Cost, explainResponse, type RestCall } from './explain.ts';

/** A panel below the response that lists the REST calls behind it. */
export function RestCalls() {
  // Derived from the response itself, so that the panel always matches the response shown.
  const response = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response ?? '');
  const explanation = useMemo(() => explainResponse(response), [response]);
  return (
    <details className="rest-calls" open>
      <summary>
        <strong>REST calls</strong> {explanation ? summarize(explanation.cost) : hint(response)}
      </summary>
      {explanation && explanation.calls.length > 0 && <CallTable calls={explanation.calls} />}
    </details>
  );
}

function CallTable({ calls }: { readonly calls: readonly RestCall[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Call</th>
          <th>Status</th>
          <th className="number">Rows</th>
          <th className="number">Time</th>
          <th className="number">Size</th>
          <th>Source</th>
        </tr>
      </thead>
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole, never reordered.
        <Call key={index} call={call} />
      ))}
    </table>
  );
}

function Call({ call }: { readonly call: RestCall }) {
  const failed = call.status !== null && call.status >= 400;
  return (
    <tbody>
      <tr>
        <td className="path">
          <b>{call.method}</b> {call.path}
        </td>
        <td className={failed ? 'failed' : undefined}>{call.status ?? '–'}</td>
        <td className="number">{call.rows ?? '–'}</td>
        <td className="number">{formatMilliseconds(call.milliseconds)}</td>
        <td className="number">{formatBytes(call.bytes)}</td>
        <td>{call.source && <span className={`source ${call.source}`}>{call.source}</span>}</td>
      </tr>
      {call.parameters.map(([name, value]) => (
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

function hint(response: string): string {
  return response
    ? 'not listed in this response'
    : 'run an operation to see what it asks of the REST service';
}

function summarize({ calls, estimatedCalls, cacheHits, coalesced }: Cost): string {
  const parts: readonly (readonly [count: number | null, label: string])[] = [
    [calls, 'made'],
    [estimatedCalls, 'estimated'],
    [cacheHits, 'from the cache'],
    [coalesced, 'shared'],
  ];
  return parts.flatMap(([count, label]) => (count === null ? [] : `${count} ${label}`)).join(' · ');
}

function formatMilliseconds(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function formatBytes(value: number | null): string {
  if (value === null) return '–';
  return value < 1000 ? `${value} B` : `${(value / 1000).toFixed(1)} kB`;
}
