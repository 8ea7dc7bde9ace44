import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { replaceAdministration } from './administration.ts';
import { replaceText, useEditors } from './editors.ts';
import type { Session } from './session.ts';

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
