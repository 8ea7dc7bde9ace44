import { useGraphiQL } from '@graphiql/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { displayedText, notesOf } from './advice.ts';
import { AnswerTable } from './answer-table.tsx';
import { curlOf, linkTo, namesCredential, requestHeaders, withoutSecrets } from './curl.ts';
import { downloadCsv } from './download.ts';
import { useEditors } from './editors.ts';
import { tableOf } from './list-table.ts';
import { errorText } from './send.ts';
import type { Session } from './session.ts';
import { useTabReaders } from './tab-hooks.ts';

const NOTHING = { text: '', isFailure: false };

/** What can be done with an answer: look at it as a table, save its list, and repeat its request elsewhere. */
export function Answer({ endpoint, session }: { readonly endpoint: string; readonly session: Session }) {
  const response = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response ?? '');
  const table = useMemo(() => tableOf(response), [response]);
  const [isTableChosen, chooseTable] = useState(false);
  const [note, setNote] = useState(NOTHING);
  const { readText, readRequest } = useTabReaders();
  const shown = isTableChosen ? table : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said is about the answer before.
  useEffect(() => setNote(NOTHING), [response]);

  /** Runs an action, and tells what came of it. */
  async function act(action: () => Promise<string>): Promise<void> {
    setNote({ text: '…', isFailure: false });
    try {
      setNote({ text: await action(), isFailure: false });
    } catch (error) {
      setNote({ text: errorText(error), isFailure: true });
    }
  }

  async function download(): Promise<string> {
    const { operation, headers, isSubscription } = readRequest();
    if (isSubscription) throw new Error('A subscription has no CSV: it is a stream of events.');
    await downloadCsv(endpoint, requestHeaders(session.get(), headers), operation, namesCredential(headers));
    return 'Saved.';
  }

  async function copyCurl(): Promise<string> {
    const { operation, headers: own, isSubscription } = readRequest();
    const url = new URL(endpoint, location.href).href;
    const { text, variables } = curlOf({ url, credentials: session.get(), own, operation, isSubscription });
    await navigator.clipboard.writeText(text);
    const names = variables.map(
      (name) => `$${name}${name === 'APPLICATION' ? ' (the base64 of id:secret)' : ''}`,
    );
    return names.length > 0 ? `Copied. Set ${names.join(' and ')} in the shell first.` : 'Copied.';
  }

  async function copyLink(): Promise<string> {
    const text = readText();
    const { token, clientSecret } = session.get();
    const shared = withoutSecrets(text, [token, clientSecret]);
    await navigator.clipboard.writeText(linkTo(location.href, shared));
    const isWhole = shared.query === text.query && shared.variables === text.variables;
    return isWhole
      ? 'Copied. The link opens this query and its variables, without a token.'
      : 'Copied. Secret values are left out of the link.';
  }

  return (
    <>
      {shown && <AnswerTable key={response} table={shown} />}
      <section className="answer-bar" aria-label="Answer">
        <fieldset>
          <legend>Show the answer as</legend>
          <button type="button" aria-pressed={!shown} onClick={() => chooseTable(false)}>
            JSON
          </button>
          <button
            type="button"
            aria-pressed={shown !== undefined}
            disabled={!table}
            title={table ? undefined : 'For an answer with one list'}
            onClick={() => chooseTable(true)}
          >
            Table
          </button>
        </fieldset>
        {Object.entries({ 'Download CSV': download, 'Copy as cURL': copyCurl, 'Copy link': copyLink }).map(
          ([label, action]) => (
            <button key={label} type="button" onClick={() => act(action)}>
              {label}
            </button>
          ),
        )}
        <p role="status" className={note.isFailure ? 'failed' : undefined}>
          {note.text}
        </p>
      </section>
    </>
  );
}

/** What to do about the errors of an answer, above it: the page's own places are all below. */
export function AnswerAdvice() {
  const response = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response ?? '');
  const { advice } = useMemo(() => notesOf(response), [response]);
  const [pane, setPane] = useState<Element | null>(null);
  useEffect(() => setPane(document.querySelector('.graphiql-response')), []);
  return advice && pane && createPortal(<p className="answer-advice">{advice}</p>, pane);
}

/**
 * Shows responses without `extensions.explain`, which the panel below lists, unless it is asked for. GraphiQL stores the
 * text of the editor with the tab, and the panel reads it there. So the editor takes and returns whole responses, and
 * only displays less.
 */
export function useAnswerView(isExplainShown: boolean): void {
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
    if (!responseEditor || isShown.current === isExplainShown) return;
    isShown.current = isExplainShown;
    responseEditor.setValue(responseEditor.getValue());
  }, [responseEditor, isExplainShown]);
}
