import { Button, DropdownMenu, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { buildCurl } from './curl.ts';
import { downloadCsv } from './download.ts';
import { useEditors, useResponseView } from './editors.ts';
import { buildRequestHeaders, namesCredential } from './headers.ts';
import { csvOperation, findList, withListArgument } from './list-argument.ts';
import { buildTable } from './list-table.ts';
import { ResponseTable } from './response-table.tsx';
import { RestCalls } from './rest-calls.tsx';
import { getErrorText } from './send.ts';
import type { PageProps } from './session.ts';
import { useRequestReader, useResult } from './tab-hooks.ts';
import { findAdministrations } from './tabs.ts';

/** How Excel reads a file where a comma is the decimal sign. */
const DUTCH = '&separator=;&decimal=,';
const SILENCE = { text: '', isFailure: false };

/** Around an answer: what to know of it, what can be done with it, and the REST calls behind it. */
export function ResponseBar({ settings: { endpoint }, session }: PageProps) {
  const { response, answer, notes, otherId } = useResult(session);
  const table = useMemo(() => buildTable(answer), [answer]);
  const [isTableChosen, chooseTable] = useState(false);
  const [isRawShown, showRaw] = useState(false);
  const [note, setNote] = useState(SILENCE);
  const readRequest = useRequestReader(session);
  const { queryEditor, variableEditor } = useEditors();
  const { run } = useGraphiQLActions();
  const shown = isTableChosen ? table : undefined;
  useResponseView(isRawShown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said is about the answer before.
  useEffect(() => setNote(SILENCE), [response]);

  /** Runs an action, and tells what came of it. */
  async function act(action: () => Promise<string>): Promise<void> {
    setNote({ text: '…', isFailure: false });
    try {
      setNote({ text: await action(), isFailure: false });
    } catch (error) {
      setNote({ text: getErrorText(error), isFailure: true });
    }
  }

  /** Of the answer that is shown, whatever the editors hold by now. */
  async function download(style: string, count: number | null): Promise<string> {
    const { operation: written, headers: own } = readRequest();
    const operation = csvOperation(notes?.operation ?? written, count);
    const headers = buildRequestHeaders(session.get(), own);
    const url = `${endpoint}.csv?bom=1${style}`;
    const rows = await downloadCsv({ url, headers, operation }, namesCredential(own));
    const [id, ...others] = new Set(findAdministrations(operation.query, operation.variables));
    const ofOne = id && others.length === 0 ? ` of administration ${id}` : '';
    return `Saved ${rows === 1 ? '1 row' : `${rows} rows`}${ofOne}.`;
  }

  async function copyCurl(): Promise<string> {
    const { headers: own, ...request } = readRequest();
    const url = new URL(endpoint, location.href).href;
    const { command, variables } = buildCurl({
      url,
      credentials: session.get(),
      tabHeaders: own,
      ...request,
    });
    await navigator.clipboard.writeText(command);
    const names = variables.map((name) =>
      name === 'APPLICATION' ? `${name} (the base64 of id:secret)` : name,
    );
    return names.length > 0 ? `Copied. Set $${names.join(' and $')} in the shell first.` : 'Copied.';
  }

  async function nextPage(): Promise<string> {
    const { operation } = readRequest();
    const [answered, asked] = [notes?.operation, operation].map((one) =>
      String(findAdministrations(one?.query ?? '', one?.variables)),
    );
    if (answered !== asked) throw new Error('The query names another administration now: run it first.');
    const next = withListArgument(operation, 'after', table?.endCursor ?? null);
    queryEditor?.setValue(next.query);
    if (next.variables) variableEditor?.setValue(JSON.stringify(next.variables, null, 2));
    run();
    return '';
  }

  const count = Math.max(1, table?.rows.length ?? 0);
  const files = [
    ['These rows', '', count],
    ['These rows, for Excel in Dutch', DUTCH, count],
    ['Whole list, without “first”', '', null],
    ['Whole list, for Excel in Dutch', DUTCH, null],
  ] as const;
  const isFile = useMemo(() => table && notes && findList(notes.operation), [table, notes]);
  const ofOther = otherId === undefined ? undefined : `This answer is of administration ${otherId}.`;

  return (
    <>
      <ResponseAdvice text={notes?.advice ?? ofOther} />
      {shown && (
        <ResponseTable
          key={response}
          table={shown}
          operation={notes?.operation}
          onNextPage={() => act(nextPage)}
        />
      )}
      <section className="response-bar" aria-label="Result">
        <label>
          <input
            type="checkbox"
            checked={shown !== undefined}
            onChange={(event) => chooseTable(event.target.checked)}
            disabled={!table}
            title={table ? undefined : 'For an answer with one list'}
          />
          Table
        </label>
        <label>
          <input type="checkbox" checked={isRawShown} onChange={(event) => showRaw(event.target.checked)} />
          Extensions
        </label>
        <DropdownMenu>
          <DropdownMenu.Button
            className="graphiql-button"
            disabled={!isFile}
            title={isFile ? undefined : 'For an answer with one list of nodes, edges or groups'}
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
        <p role="status" className={note.isFailure ? 'failed' : undefined}>
          {note.text}
        </p>
      </section>
      <RestCalls answer={answer} />
    </>
  );
}

/** What to know of an answer, above it: the page's own places are all below. */
function ResponseAdvice({ text }: { readonly text: string | undefined }) {
  const [pane, setPane] = useState<Element | null>(null);
  useEffect(() => setPane(document.querySelector('.graphiql-response')), []);
  return text && pane && createPortal(<p className="response-advice">{text}</p>, pane);
}
