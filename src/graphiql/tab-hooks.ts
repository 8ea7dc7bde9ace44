import { pick, tryParseJSONC, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useEffectEvent, useMemo, useRef, useSyncExternalStore } from 'react';
import { type Editor, useEditors, useIsReady } from './editors.ts';
import { parseResult } from './result.ts';
import { getErrorText } from './send.ts';
import type { Session } from './session.ts';
import {
  findOtherAdministration,
  readLink,
  replaceAdministration,
  type Tab,
  withAdministration,
} from './tabs.ts';

/** The answer of the active tab, and its administration if that is another than the chosen one. */
export function useResult(session: Session) {
  const response = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response ?? '');
  const answer = useMemo(() => parseResult(response), [response]);
  const notes = answer.extensions?.graphiql;
  const chosen = useSyncExternalStore(session.subscribe, () => session.get().administrationId);
  const { query = '', variables } = notes?.operation ?? {};
  const otherId = findOtherAdministration(query, variables, chosen);
  return { response, answer, notes, otherId };
}

/** Returns a function that brings a tab with this text to the front: one that is open already, or else a new one. */
export function useOpenTab(): (tab: Tab) => void {
  const tabs = useGraphiQL((state) => state.tabs);
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  const { addTab, changeTab } = useGraphiQLActions();
  return ({ query, variables }) => {
    const open = tabs.findIndex(
      (tab) => tab.query === query && (tab.variables || null) === (variables || null),
    );
    if (open >= 0) return changeTab(open);
    addTab();
    queryEditor?.setValue(query ?? '');
    variableEditor?.setValue(variables ?? '');
    headerEditor?.setValue('');
  };
}

/** Opens what a link carries, and takes it out of the address: it is never run by itself. */
export function useLinks(): void {
  const isReady = useIsReady();
  const openTab = useOpenTab();
  const take = useEffectEvent(() => {
    const linked = readLink(location.hash);
    if (!linked) return;
    history.replaceState(null, '', location.pathname + location.search);
    openTab(linked);
  });
  useEffect(() => {
    if (!isReady) return;
    take();
    // Where the page is open already, a link changes nothing but what is behind #.
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [isReady]);
}

/** Returns a function that reads the editors as a request, and throws where that is not possible. */
export function useRequestReader(session: Session) {
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  const name = useGraphiQL((state) => state.overrideOperationName ?? state.operationName);
  const operations = useGraphiQL((state) => state.operations);
  return () => {
    const query = queryEditor?.getValue() ?? '';
    if (!query.trim()) throw new Error('Write a query first.');
    // GraphiQL tells the operation of a document that was there a moment ago.
    const operationName = name && query.includes(name) ? name : undefined;
    const chosen = operations?.find((operation) => operation.name?.value === operationName);
    const written = { query, variables: readObject('Variables', variableEditor), operationName };
    return {
      operation: withAdministration(written, session.get().administrationId),
      headers: readObject('Request headers', headerEditor) ?? {},
      isSubscription: chosen?.operation === 'subscription',
    };
  };
}

function readObject(name: string, editor: Editor | undefined): Record<string, unknown> | undefined {
  try {
    return tryParseJSONC(editor?.getValue());
  } catch (error) {
    throw new Error(`${name} ${getErrorText(error)}`);
  }
}

/** Stops what runs where a tab is opened, as GraphiQL does where one is chosen: its answer would show in the new one. */
export function useStopOnLeave(): void {
  const activeId = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id);
  const { stop } = useGraphiQLActions();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it stops when the tab is another one.
  useEffect(() => stop, [activeId, stop]);
}

/** Writes the chosen administration into the variables of every tab that named the one before. */
export function useAdministrationInTabs(session: Session): void {
  const chosen = useSyncExternalStore(session.subscribe, () => session.get().administrationId);
  const previous = useRef(chosen);
  const { tabs, activeTabIndex } = useGraphiQL(pick('tabs', 'activeTabIndex'));
  const { queryEditor, variableEditor } = useEditors();
  const { moveTab } = useGraphiQLActions();
  useEffect(() => {
    const from = previous.current;
    if (from === chosen || !queryEditor || !variableEditor) return;
    previous.current = chosen;
    const typed = { query: queryEditor.getValue(), variables: variableEditor.getValue() };
    const { query, variables } = replaceAdministration(typed, from, chosen);
    // No action of GraphiQL changes another tab than the active one, but the one for reordering takes all tabs anew.
    // It knows the active one by its identity.
    moveTab(
      tabs.map((tab, index) => (index === activeTabIndex ? tab : replaceAdministration(tab, from, chosen))),
    );
    // That has set the editors to what GraphiQL had stored, which is a moment behind what is typed.
    queryEditor.setValue(query);
    variableEditor.setValue(variables);
  }, [chosen, tabs, activeTabIndex, queryEditor, variableEditor, moveTab]);
}
