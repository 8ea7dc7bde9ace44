import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { replaceText, useEditors } from './editors.ts';
import { readLink } from './link.ts';
import type { Tab } from './tabs.ts';

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
