import { useGraphiQL } from '@graphiql/react';
import { Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { displayedText, notesOf } from './advice.ts';
import { scrollOnPhone, useEditors } from './editors.ts';
import { type CallGroup, type ExplainedCost, explainResponse, groupWalks, type RestCall } from './explain.ts';

/** A panel below the response that lists the REST calls behind it. */
export function RestCalls() {
  // Derived from the response itself, so that the panel always matches the response shown.
  const response = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response ?? '');
  const explanation = useMemo(() => explainResponse(response), [response]);
  const { timing } = useMemo(() => notesOf(response), [response]);
  const [isOpen, setOpen] = useState(false);
  const [isRawShown, showRaw] = useState(false);
  useAnswerView(isRawShown);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) scrollOnPhone(panel.current);
  }, [isOpen]);
  const calls = typeof explanation === 'object' ? explanation.calls : [];
  return (
    <section className="rest-calls" aria-label="REST calls" ref={panel}>
      <div className="bar">
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <strong>REST calls</strong>{' '}
          {typeof explanation === 'object' ? summarize(explanation.cost) : hint(response, explanation)}
        </button>
        {timing !== null && (
          <span
            className="timing"
            title="Until this browser had the answer · of that in the gateway · of that in REST calls"
          >
            {timing}
          </span>
        )}
        <label>
          <input type="checkbox" checked={isRawShown} onChange={(event) => showRaw(event.target.checked)} />
          raw answer, with its extensions
        </label>
      </div>
      {isOpen && calls.length > 0 && <CallTable calls={calls} />}
    </section>
  );
}

function hint(response: string, explanation: 'refused' | undefined): string {
  if (explanation === 'refused') return 'none: refused before it ran';
  return response ? 'none known for this answer' : 'run an operation to see what it asks of the REST service';
}

function summarize({ calls, estimatedCalls, cacheHits, coalesced }: ExplainedCost): string {
  const parts: readonly (readonly [count: number | null, label: string])[] = [
    [calls, 'made'],
    [estimatedCalls, 'estimated'],
    [cacheHits, 'from the cache'],
    [coalesced || null, 'coalesced'],
  ];
  return parts.flatMap(([count, label]) => (count === null ? [] : `${count} ${label}`)).join(' · ');
}

/** One row for each call, or for each walk through the pages of a list. */
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
      {groupWalks(calls).map((walk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole, never reordered.
        <WalkRows key={index} walk={walk} />
      ))}
    </table>
  );
}

function WalkRows({ walk: { total, calls, pages } }: { readonly walk: CallGroup }) {
  const [isOpen, setOpen] = useState(false);
  if (pages === 1) return <Call call={total} />;
  const retries = calls.length - pages;
  return (
    <>
      <Call call={total}>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {pages} pages{retries > 0 && `, ${retries} retried`}
        </button>
      </Call>
      {isOpen &&
        calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole, never reordered.
          <Call key={index} call={call} />
        ))}
    </>
  );
}

function Call({ call, children }: { readonly call: RestCall; readonly children?: ReactNode }) {
  const failed = call.status !== null && call.status >= 400;
  return (
    <tbody>
      <tr>
        <td className="path">
          <b>{call.method}</b> <Path path={call.path ?? ''} /> {children}
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

/** Breaks between the words of a path, where it has to. */
function Path({ path }: { readonly path: string }) {
  return path.split(/(?<=[/_-])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one path are never reordered.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

function formatMilliseconds(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function formatBytes(value: number | null): string {
  if (value === null) return '–';
  return value < 1000 ? `${value} B` : `${(value / 1000).toFixed(1)} kB`;
}

/** GraphiQL stores the editor's text with the tab, where the panel reads it: so the editor only displays less of it. */
function useAnswerView(isRawShown: boolean): void {
  const { responseEditor } = useEditors();
  const isShown = useRef(false);
  useEffect(() => {
    if (!responseEditor) return;
    isShown.current = false;
    const display = responseEditor.setValue.bind(responseEditor);
    let response = responseEditor.getValue();
    responseEditor.getValue = () => response;
    responseEditor.setValue = (text) => {
      response = text;
      display(displayedText(text, isShown.current));
    };
  }, [responseEditor]);
  useEffect(() => {
    if (!responseEditor || isShown.current === isRawShown) return;
    isShown.current = isRawShown;
    responseEditor.setValue(responseEditor.getValue());
  }, [responseEditor, isRawShown]);
}
