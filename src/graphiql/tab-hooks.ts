import { pick, tryParseJSONC, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useEffectEvent, useMemo, useRef, useSyncExternalStore } from 'react';
import { type Editor, useEditors, useIsReady } from './editors.ts';
import { parseResult } from './result.ts';
import { getErrorText } from './send.ts';
import type { Session } from './session.ts';
import {
  describeOtherAdministrations,
  readLink,
  replaceAdministration,
  type Tab,
  withAdministration,
} from './tabs.ts';

/** Returns the result of the active tab, and its administrations if they are not just the chosen one. */
export function useResult(session: Session) {
  const response = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response ?? '');
  const result = useMemo(() => parseResult(response), [response]);
  const notes = result.extensions?.graphiql;
  const chosen = useSyncExternalStore(session.subscribe, () => session.get().administrationId);
  const { query = '', variables } = notes?.operation ?? {};
  const others = describeOtherAdministrations(query, variables, chosen);
  return { response, result, notes, others };
}

/** Returns a function that opens the tab with this text: an open one, or else a new one. */
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

/** Opens the operation of a link without running it, and removes it from the address. */
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
    // If the page is already open, a link changes only the part after #.
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [isReady]);
}

/** Returns a function that reads the editors as a request. It throws with a message for the user. */
export function useRequestReader(session: Session) {
  const { queryEditor, variableEditor, headerEditor } = useEditors();
  const name = useGraphiQL((state) => state.overrideOperationName ?? state.operationName);
  const operations = useGraphiQL((state) => state.operations);
  return () => {
    const query = queryEditor?.getValue() ?? '';
    if (!query.trim()) throw new Error('Write a query first.');
    // GraphiQL updates the name with a delay, so it may belong to an earlier text.
    const operationName = name && query.includes(name) ? name : undefined;
    const chosen = operations?.find((operation) => operation.name?.value === operationName);
    const typed = { query, variables: readObject('Variables', variableEditor), operationName };
    return {
      operation: withAdministration(typed, session.get().administrationId),
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

/** Stops the operation when a tab is opened, as GraphiQL does when one is chosen: the new tab would show its result. */
export function useStopOnLeave(): void {
  const activeId = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id);
  const { stop } = useGraphiQLActions();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the active tab changes.
  useEffect(() => stop, [activeId, stop]);
}

/** Replaces the previous administration by the chosen one in the variables of every tab. */
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
    // Only the action for reordering can change inactive tabs. It finds the active tab by its identity.
    moveTab(
      tabs.map((tab, index) => (index === activeTabIndex ? tab : replaceAdministration(tab, from, chosen))),
    );
    // That reset the editors to the stored text, which may lack the last keystrokes.
    queryEditor.setValue(query);
    variableEditor.setValue(variables);
  }, [chosen, tabs, activeTabIndex, queryEditor, variableEditor, moveTab]);
}
