import { DropdownMenu, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { downloadCsv } from './download.ts';
import { replaceText, useEditors, useResponseView } from './editors.ts';
import { buildRequestHeaders, getTokenSource } from './headers.ts';
import { buildCsvOperation, findList, getListArgument, withListArgument } from './list-argument.ts';
import { buildTable } from './list-table.ts';
import { ResponseTable } from './response-table.tsx';
import { RestCalls } from './rest-calls.tsx';
import { getErrorText } from './send.ts';
import type { PageProps } from './session.ts';
import { useRequestReader, useResult } from './tab-hooks.ts';
import { findAdministrations } from './tabs.ts';

const FILES = [
  { label: 'These rows', isWhole: false, format: '' },
  { label: 'These rows, for Excel in Dutch', isWhole: false, format: '&separator=;&decimal=,' },
  { label: 'Whole list, without “first”', isWhole: true, format: '' },
  { label: 'Whole list, for Excel in Dutch', isWhole: true, format: '&separator=;&decimal=,' },
];

/** Shows advice and a table around the response, the actions for it, and its REST calls. */
export function ResponseBar({ settings: { endpoint }, session }: PageProps) {
  const { response, result, notes, others } = useResult(session);
  const table = useMemo(() => buildTable(result), [result]);
  const [isTableChosen, chooseTable] = useState(false);
  const [message, setMessage] = useState<{ readonly text: string; readonly isFailure: boolean }>();
  const activeId = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id);
  const readRequest = useRequestReader(session);
  const { queryEditor, variableEditor } = useEditors();
  const { run } = useGraphiQLActions();
  const advice = notes?.advice ?? (others && `This response is of ${others}.`);
  useResponseView();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message is about one response of one tab.
  useEffect(() => setMessage(undefined), [activeId, response]);

  /** Runs an action and shows the message that it returns or throws. */
  async function act(action: () => Promise<string>): Promise<void> {
    setMessage({ text: '…', isFailure: false });
    try {
      setMessage({ text: await action(), isFailure: false });
    } catch (error) {
      setMessage({ text: getErrorText(error), isFailure: true });
    }
  }

  /** Downloads the list of the response, also if the editors contain another operation by now. */
  async function download(format: string, isWhole: boolean): Promise<string> {
    const { operation: typed, headers: tabHeaders } = readRequest();
    const count = isWhole ? null : Math.max(1, table?.rows.length ?? 0);
    const operation = buildCsvOperation(notes?.operation ?? typed, count);
    const headers = buildRequestHeaders(session.get(), tabHeaders);
    const url = `${endpoint}.csv?bom=1${format}`;
    const rows = await downloadCsv({ url, headers, operation }, getTokenSource(session.get(), tabHeaders));
    const omitted = table?.totals ? ', without the totals of the list' : '';
    return `Saved ${rows === 1 ? '1 row' : `${rows} rows`}${omitted}.`;
  }

  /** The pages that the user has turned to, by the cursor before them. The number of rows before them may be unknown. */
  const pages = useRef(new Map<unknown, { offset: number | undefined; previous: string | null }>());
  const after = isTableChosen && table && notes ? getListArgument(notes.operation, 'after') : null;
  const page = pages.current.get(after);
  const offset = page ? page.offset : table?.endCursor && !after ? 0 : undefined;

  async function turnTo(cursor: string | null): Promise<string> {
    const { operation } = readRequest();
    const [shownIds, typedIds] = [notes?.operation, operation].map((request) =>
      String(findAdministrations(request?.query ?? '', request?.variables)),
    );
    if (shownIds !== typedIds) throw new Error('The query names another administration now: run it first.');
    const next = withListArgument(operation, 'after', cursor);
    replaceText(queryEditor, next.query);
    if (next.variables) replaceText(variableEditor, JSON.stringify(next.variables, null, 2));
    run();
    return '';
  }

  async function turnToNextPage(): Promise<string> {
    const { endCursor = null, rows = [] } = table ?? {};
    const previous = typeof after === 'string' ? after : null;
    pages.current.set(endCursor, { offset: offset === undefined ? offset : offset + rows.length, previous });
    return turnTo(endCursor);
  }

  // CSV has no place for the top records of each group.
  const isFlat = table?.columns.every(({ name }) => !/^top\b/.test(name));
  const isFile = isFlat && notes && findList(notes.operation);

  return (
    <>
      {advice && <p className={`response-advice ${notes?.advice ? 'failed' : ''}`}>{advice}</p>}
      {isTableChosen && table && (
        <ResponseTable
          key={response}
          table={table}
          offset={offset}
          onPreviousPage={page && (() => act(() => turnTo(page.previous)))}
          onNextPage={() => act(turnToNextPage)}
        />
      )}
      <section className="response-bar" aria-label="Response">
        <label title={table ? undefined : 'Needs a response with one list'}>
          <input
            type="checkbox"
            checked={isTableChosen && table !== undefined}
            onChange={(event) => chooseTable(event.target.checked)}
            disabled={!table}
          />
          Table
        </label>
        <DropdownMenu>
          <DropdownMenu.Button
            className="graphiql-button"
            disabled={!isFile}
            title={isFile ? undefined : 'Needs one list of nodes, edges or groups, without “top”'}
          >
            Download CSV
          </DropdownMenu.Button>
          <DropdownMenu.Content side="top">
            {FILES.map(({ label, format, isWhole }) => (
              <DropdownMenu.Item key={label} onSelect={() => act(() => download(format, isWhole))}>
                {label}
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu>
        <p role="status" className={message?.isFailure ? 'failed' : undefined}>
          {message?.text}
        </p>
      </section>
      <RestCalls result={result} />
    </>
  );
}
