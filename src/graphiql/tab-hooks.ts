import { tryParseJSONC, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { type OperationText, readLink } from './curl.ts';
import { type Editor, replaceText, useEditors } from './editors.ts';
import { errorText } from './send.ts';
import type { Session } from './session.ts';
import { hasOperation, replaceAdministration, type Tab } from './tabs.ts';

/** Returns a function that puts the text of a tab into the editors. */
export function useShowTab(): (tab: Tab) => void {
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  return ({ query, variables, headers }) => {
    if (queryEditor) replaceText(queryEditor, query ?? '');
    if (variableEditor) replaceText(variableEditor, variables ?? '');
    if (headerEditor) replaceText(headerEditor, headers ?? '');
  };
}

/** Returns a function that brings a tab with this text to the front: one that is open already, or else a new one. */
export function useOpenTab(): (tab: Tab, operationName?: string) => void {
  const tabs = useGraphiQL((state) => state.tabs);
  const operations = useGraphiQL((state) => state.operations);
  const { addTab, changeTab, setOperationName } = useGraphiQLActions();
  const showTab = useShowTab();
  const chosen = useRef<string>(undefined);

  // Only once GraphiQL has parsed a query does it know the operations to choose from.
  useEffect(() => {
    const name = chosen.current;
    if (!name || !operations?.some((operation) => operation.name?.value === name)) return;
    chosen.current = undefined;
    setOperationName(name);
  }, [operations, setOperationName]);

  return (tab, operationName) => {
    const open = tabs.findIndex(
      ({ query, variables }) => query === tab.query && (variables ?? '') === (tab.variables ?? ''),
    );
    chosen.current = operationName;
    if (open >= 0) return changeTab(open);
    addTab();
    showTab(tab);
  };
}

/** Opens what a link carries, and takes it out of the address: it is never run by itself. */
export function useLinks(): void {
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  const isReady = Boolean(queryEditor && variableEditor && headerEditor);
  const openTab = useOpenTab();
  const take = useEffectEvent(() => {
    const linked = readLink(location.hash);
    if (!linked) return;
    history.replaceState(null, '', location.pathname + location.search);
    openTab({ ...linked, headers: null }, linked.operationName);
  });
  useEffect(() => {
    if (!isReady) return;
    take();
    // Where the page is open already, a link changes nothing but what is behind #.
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [isReady]);
}

/** Returns functions that read the editors as text or as a request, and throw where that is not possible. */
export function useTabReaders() {
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  const name = useGraphiQL((state) => state.overrideOperationName ?? state.operationName);
  const operations = useGraphiQL((state) => state.operations);

  /** The query, and the name of the chosen operation if the query has it. */
  function readOperation() {
    const query = queryEditor?.getValue() ?? '';
    if (!query.trim()) throw new Error('Write a query first.');
    return { query, operationName: name && hasOperation(query, name) ? name : undefined };
  }

  return {
    readText: (): OperationText => ({ ...readOperation(), variables: variableEditor?.getValue() ?? '' }),
    readRequest() {
      const { query, operationName } = readOperation();
      const chosen = operations?.find((operation) => operation.name?.value === operationName);
      return {
        operation: { query, variables: readObject('Variables', variableEditor), operationName },
        headers: readObject('Request headers', headerEditor) ?? {},
        isSubscription: chosen?.operation === 'subscription',
      };
    },
  };
}

function readObject(name: string, editor: Editor | undefined): Record<string, unknown> | undefined {
  try {
    return tryParseJSONC(editor?.getValue());
  } catch (error) {
    throw new Error(`${name} ${errorText(error)}`);
  }
}

/** Stores the credentials in the browser while the user allows that for headers. */
export function useStoredCredentials(session: Session): void {
  const isAllowed = useGraphiQL(({ shouldPersistHeaders }) => shouldPersistHeaders);
  useEffect(() => session.storeCredentials(isAllowed), [session, isAllowed]);
}

/** Writes the chosen administration into the variables of every tab that named the one before. */
export function useAdministrationInTabs(session: Session): void {
  const chosen = useSyncExternalStore(session.subscribe, () => session.get().administrationId);
  const previous = useRef(chosen);
  const { tabs, activeTabIndex } = useGraphiQL(({ tabs, activeTabIndex }) => ({ tabs, activeTabIndex }));
  const { queryEditor, variableEditor } = useEditors();
  const { moveTab } = useGraphiQLActions();
  useEffect(() => {
    const from = previous.current;
    if (from === chosen || !queryEditor || !variableEditor) return;
    previous.current = chosen;
    const query = queryEditor.getValue();
    const variables = replaceAdministration(variableEditor.getValue(), from, chosen);
    // No action of GraphiQL changes another tab than the active one, but the one for reordering takes all tabs anew.
    moveTab(
      tabs.map((tab, index) =>
        index === activeTabIndex || !tab.variables
          ? tab
          : { ...tab, variables: replaceAdministration(tab.variables, from, chosen) },
      ),
    );
    // That has set the editors to what GraphiQL had stored, which is a moment behind what is typed.
    replaceText(queryEditor, query);
    replaceText(variableEditor, variables);
  }, [chosen, tabs, activeTabIndex, queryEditor, variableEditor, moveTab]);
}
