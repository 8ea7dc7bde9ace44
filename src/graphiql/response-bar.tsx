import { Button, DropdownMenu, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { buildCurl } from './curl.ts';
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

/** The format that Excel expects where a comma is the decimal separator. */
const DUTCH = '&separator=;&decimal=,';
const NO_MESSAGE = { text: '', isFailure: false };

/** A page that was reached from the one before. */
interface ListPage {
  /** The number of rows before it; undefined if unknown. */
  readonly offset: number | undefined;
  readonly previous: string | null;
}

/** Shows advice and a table around the response, the actions for it, and its REST calls. */
export function ResponseBar({ settings: { endpoint }, session }: PageProps) {
  const { response, result, notes, others } = useResult(session);
  const table = useMemo(() => buildTable(result), [result]);
  const [isTableChosen, chooseTable] = useState(false);
  const [showsExtensions, showExtensions] = useState(false);
  const [message, setMessage] = useState(NO_MESSAGE);
  const readRequest = useRequestReader(session);
  const { queryEditor, variableEditor } = useEditors();
  const { run } = useGraphiQLActions();
  const shown = isTableChosen ? table : undefined;
  useResponseView(showsExtensions);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message belongs to the response before.
  useEffect(() => setMessage(NO_MESSAGE), [response]);

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
  async function download(style: string, count: number | null): Promise<string> {
    const { operation: typed, headers: tabHeaders } = readRequest();
    const operation = buildCsvOperation(notes?.operation ?? typed, count);
    const headers = buildRequestHeaders(session.get(), tabHeaders);
    const url = `${endpoint}.csv?bom=1${style}`;
    const rows = await downloadCsv({ url, headers, operation }, getTokenSource(session.get(), tabHeaders));
    const [id, ...others] = findAdministrations(operation.query, operation.variables);
    const source = id && others.length === 0 ? ` of administration ${id}` : '';
    const omitted = table?.totals ? ', without the totals of the list' : '';
    return `Saved ${rows === 1 ? '1 row' : `${rows} rows`}${source}${omitted}.`;
  }

  async function copyCurl(): Promise<string> {
    const { headers: tabHeaders, ...request } = readRequest();
    const url = new URL(endpoint, location.href).href;
    const { command, variables } = buildCurl({ url, credentials: session.get(), tabHeaders, ...request });
    await navigator.clipboard.writeText(command);
    const names = variables.map((name) =>
      name === 'APPLICATION' ? `${name} (the base64 of id:secret)` : name,
    );
    return names.length > 0 ? `Copied. Set $${names.join(' and $')} in the shell first.` : 'Copied.';
  }

  /** The pages that the user has turned to, by the cursor before them. */
  const pages = useRef(new Map<unknown, ListPage>());
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

  const count = Math.max(1, table?.rows.length ?? 0);
  const files = [
    ['These rows', '', count],
    ['These rows, for Excel in Dutch', DUTCH, count],
    ['Whole list, without “first”', '', null],
    ['Whole list, for Excel in Dutch', DUTCH, null],
  ] as const;
  const isFile = useMemo(() => table && notes && findList(notes.operation), [table, notes]);

  return (
    <>
      <ResponseAdvice text={notes?.advice ?? (others && `This response is of ${others}.`)} />
      {shown && (
        <ResponseTable
          key={response}
          table={shown}
          operation={notes?.operation}
          offset={offset}
          onPreviousPage={page && (() => act(() => turnTo(page.previous)))}
          onNextPage={() => act(turnToNextPage)}
        />
      )}
      <section className="response-bar" aria-label="Response">
        <label>
          <input
            type="checkbox"
            checked={shown !== undefined}
            onChange={(event) => chooseTable(event.target.checked)}
            disabled={!table}
            title={table ? undefined : 'Needs a response with one list'}
          />
          Table
        </label>
        <label>
          <input
            type="checkbox"
            checked={showsExtensions}
            onChange={(event) => showExtensions(event.target.checked)}
          />
          Extensions
        </label>
        <DropdownMenu>
          <DropdownMenu.Button
            className="graphiql-button"
            disabled={!isFile}
            title={isFile ? undefined : 'Needs a response with one list of nodes, edges or groups'}
          >
            Download CSV
          </DropdownMenu.Button>
          <DropdownMenu.Content side="top">
            {files.map(([label, style, count]) => (
              <DropdownMenu.Item key={label} onSelect={() => act(() => download(style, count))}>
                {label}
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu>
        <Button type="button" onClick={() => act(copyCurl)}>
          Copy as cURL
        </Button>
        <p role="status" className={message.isFailure ? 'failed' : undefined}>
          {message.text}
        </p>
      </section>
      <RestCalls result={result} />
    </>
  );
}

/** Shows advice above the response. GraphiQL offers only a place below it, so this uses a portal. */
function ResponseAdvice({ text }: { readonly text: string | undefined }) {
  const [pane, setPane] = useState<Element | null>(null);
  useEffect(() => setPane(document.querySelector('.graphiql-response')), []);
  return text && pane && createPortal(<p className="response-advice">{text}</p>, pane);
}
