import { GraphiQL, GraphiQLInterface } from 'graphiql';
import { useMemo, useSyncExternalStore } from 'react';
import type { GraphiqlSettings } from '../pages/graphiql.ts';
import { Answer, AnswerAdvice } from './answer.tsx';
import { useEditorOptions, useRunKey, useScrollToAnswer } from './editors.ts';
import { ExampleMenu, RestoreButton } from './examples.tsx';
import { RestCalls } from './rest-calls.tsx';
import type { Session } from './session.ts';
import { useAdministrationInTabs, useLinks, useStoredCredentials } from './tab-hooks.ts';
import { openedTabs } from './tabs.ts';

interface InterfaceProps {
  readonly settings: GraphiqlSettings;
  readonly session: Session;
}

/** GraphiQL itself, with what this page adds to it. */
export function Interface({ settings, session }: InterfaceProps) {
  const chosen = useSyncExternalStore(session.subscribe, () => session.get().administrationId);
  const examples = useMemo(() => openedTabs(settings, chosen), [settings, chosen]);
  useEditorOptions();
  useRunKey();
  useStoredCredentials(session);
  useAdministrationInTabs(session);
  useLinks();
  useScrollToAnswer();
  return (
    <main>
      <GraphiQLInterface showPersistHeadersSettings={true} defaultEditorToolsVisibility="variables">
        <GraphiQL.Logo>
          <ExampleMenu examples={examples} />
        </GraphiQL.Logo>
        <GraphiQL.Toolbar>
          {({ prettify, copy, merge }) => (
            <>
              {prettify}
              {merge}
              {copy}
              <RestoreButton examples={examples} />
            </>
          )}
        </GraphiQL.Toolbar>
        <GraphiQL.Footer>
          <AnswerAdvice session={session} />
          <Answer endpoint={settings.endpoint} session={session} />
          <RestCalls />
        </GraphiQL.Footer>
      </GraphiQLInterface>
    </main>
  );
}
