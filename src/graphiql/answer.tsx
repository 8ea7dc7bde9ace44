import { DropdownMenu, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { notesOf } from './advice.ts';
import { AnswerTable } from './answer-table.tsx';
import {
  codeOf,
  csvAddress,
  LANGUAGES,
  linkTo,
  namesCredential,
  requestHeaders,
  withoutSecrets,
} from './curl.ts';
import { downloadCsv } from './download.ts';
import { replaceText, useEditors } from './editors.ts';
import {
  FIRST_IF_ABSENT,
  listArgument,
  mostGroups,
  type WrittenOperation,
  withListArgument,
  withoutTotals,
} from './list-argument.ts';
import { tableOf } from './list-table.ts';
import { errorText } from './send.ts';
import type { Session } from './session.ts';
import { useTabReaders } from './tab-hooks.ts';
import { withAdministration } from './tabs.ts';

const NOTHING = { text: '', isFailure: false };
/** How Excel reads a file where a comma is the decimal sign. */
const DUTCH = '&separator=;&decimal=,';

/** The answer of the active tab, and whether it is of another administration than the chosen one. */
function useAnswer(session: Session) {
  const response = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response ?? '');
  const notes = useMemo(() => notesOf(response), [response]);
  const chosen = useSyncExternalStore(session.subscribe, () => session.get().administrationId);
  const asked = notes.administrationId;
  return { response, notes, chosen, isOld: asked !== null && asked !== chosen };
}

/** What can be done with an answer: look at it as a table, save its list, and repeat its request elsewhere. */
export function Answer({ endpoint, session }: { readonly endpoint: string; readonly session: Session }) {
  const { response, notes, isOld } = useAnswer(session);
  const table = useMemo(() => tableOf(response), [response]);
  const answered = table ? notes.operation : null;
  const [isTableChosen, chooseTable] = useState(false);
  const [note, setNote] = useState(NOTHING);
  const { readText, readRequest } = useTabReaders();
  const { queryEditor, variableEditor } = useEditors();
  const { run } = useGraphiQLActions();
  const shown = isTableChosen ? table : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said is about the answer before.
  useEffect(() => setNote(NOTHING), [response]);

  /** Runs an action, and tells what came of it. */
  async function act(action: Action): Promise<void> {
    setNote({ text: '…', isFailure: false });
    try {
      setNote({ text: await action(), isFailure: false });
    } catch (error) {
      setNote({ text: errorText(error), isFailure: true });
    }
  }

  function readSent() {
    const { operation, ...others } = readRequest();
    return { operation: withAdministration(operation, session.get().administrationId), ...others };
  }

  /** Of the answer that is shown, whatever the editors hold by now. */
  async function download(style: string, isWhole: boolean): Promise<string> {
    const { operation: written, headers: own, isSubscription } = readSent();
    if (isSubscription) throw new Error('A subscription has no CSV: it is a stream of events.');
    const asked: WrittenOperation = withoutTotals(answered ?? written);
    const first = listArgument(asked, 'first');
    const operation = isWhole
      ? withListArgument(withListArgument(asked, 'first', null), 'after', null)
      : withListArgument(asked, 'first', Number(first ?? FIRST_IF_ABSENT));
    const headers = requestHeaders(session.get(), own);
    const url = `${endpoint}.csv?bom=1${style}`;
    const rows = await downloadCsv({ url, headers, operation }, namesCredential(own));
    return [
      `Saved ${rows === 1 ? '1 row' : `${rows} rows`}${ofAdministration(operation)}.`,
      !isWhole && (first ?? FIRST_IF_ABSENT) === rows && moreText(first),
      answered && !isSame(answered, written) && 'They are of the answer shown: the query has changed since.',
    ]
      .filter(Boolean)
      .join(' ');
  }

  async function copyCode(language: (typeof LANGUAGES)[number]): Promise<string> {
    const { headers: own, ...request } = readSent();
    const url = new URL(endpoint, location.href).href;
    const { text, variables } = codeOf(language, { url, credentials: session.get(), own, ...request });
    await navigator.clipboard.writeText(text);
    const names = variables.map(
      (name) => `$${name}${name === 'APPLICATION' ? ' (the base64 of id:secret)' : ''}`,
    );
    return names.length > 0 ? `Copied. Set ${names.join(' and ')} in the shell first.` : 'Copied.';
  }

  async function copyCsvAddress(): Promise<string> {
    const { operation, isSubscription } = readSent();
    if (isSubscription) throw new Error('A subscription has no CSV: it is a stream of events.');
    const { token, clientSecret } = session.get();
    const variables = operation.variables ? JSON.stringify(operation.variables) : '';
    const shared = withoutSecrets({ ...operation, variables }, [token, clientSecret]);
    await navigator.clipboard.writeText(csvAddress(new URL(endpoint, location.href).href, shared));
    return 'Copied. Send it with the header “Authorization: Bearer” and the token.';
  }

  async function nextPage(): Promise<string> {
    const { operation } = readRequest();
    const next = withListArgument(operation, 'after', table?.endCursor ?? null);
    if (queryEditor) replaceText(queryEditor, next.query);
    if (variableEditor && next.variables !== operation.variables)
      replaceText(variableEditor, JSON.stringify(next.variables, null, 2));
    run();
    return '';
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
      {shown && (
        <AnswerTable
          key={response}
          table={shown}
          isCut={answered !== null && mostGroups(answered) === shown.rows.length}
          onNextPage={isOld ? undefined : () => act(nextPage)}
        />
      )}
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
        <ActionMenu
          label="Download CSV"
          onChoose={act}
          actions={{
            'These rows': () => download('', false),
            'These rows, for Excel in Dutch': () => download(DUTCH, false),
            'Whole list, without “first”': () => download('', true),
            'Whole list, for Excel in Dutch': () => download(DUTCH, true),
          }}
        />
        <ActionMenu
          label="Copy as"
          onChoose={act}
          actions={{
            ...Object.fromEntries(LANGUAGES.map((language) => [language, () => copyCode(language)])),
            'CSV address': copyCsvAddress,
            'Link to this page': copyLink,
          }}
        />
        <p role="status" className={note.isFailure ? 'failed' : undefined}>
          {note.text}
        </p>
      </section>
    </>
  );
}

function ofAdministration({ variables }: WrittenOperation): string {
  const id = variables?.administrationId;
  return typeof id === 'string' ? ` of administration ${id}` : '';
}

/** After as many rows as were asked for. */
function moreText(first: unknown): string {
  return typeof first === 'number'
    ? `The query asks for “first: ${first}”; “Whole list” leaves that out.`
    : `Without “first” these are the first ${FIRST_IF_ABSENT}; “Whole list” saves all.`;
}

function isSame(one: WrittenOperation, other: WrittenOperation): boolean {
  const textOf = ({ query, variables = {} }: WrittenOperation) => JSON.stringify([query, variables]);
  return textOf(one) === textOf(other);
}

/** Returns what there is to say about it. */
type Action = () => Promise<string>;

interface MenuProps {
  readonly label: string;
  readonly actions: Readonly<Record<string, Action>>;
  readonly onChoose: (action: Action) => void;
}

function ActionMenu({ label, actions, onChoose }: MenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenu.Button>
        {label} <span className="arrow" />
      </DropdownMenu.Button>
      <DropdownMenu.Content align="start" side="top">
        {Object.entries(actions).map(([name, action]) => (
          <DropdownMenu.Item key={name} onSelect={() => onChoose(action)}>
            {name}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu>
  );
}

/** What to do about the errors or the age of an answer, above it: the page's own places are all below. */
export function AnswerAdvice({ session }: { readonly session: Session }) {
  const { notes, chosen, isOld } = useAnswer(session);
  const text = isOld
    ? `This answer is of administration ${notes.administrationId}: run it again for ${chosen}.`
    : notes.advice;
  const [pane, setPane] = useState<Element | null>(null);
  useEffect(() => setPane(document.querySelector('.graphiql-response')), []);
  return text && pane && createPortal(<p className="answer-advice">{text}</p>, pane);
}
