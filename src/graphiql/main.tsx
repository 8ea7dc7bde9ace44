import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from '@graphiql/plugin-doc-explorer';
import { GraphiQLProvider } from '@graphiql/react';
import { GraphiQL, GraphiQLInterface } from 'graphiql';
import { useMemo, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import 'graphiql/setup-workers/vite';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import 'graphiql/graphiql.css';
import './page.css';
import './strip.css';
import './answer.css';
import './rest-calls.css';
import './changes.css';
import './history.css';
import type { GraphiqlSettings } from '../pages/graphiql.ts';
import { Answer, AnswerAdvice } from './answer.tsx';
import { createChangeFeed } from './change-feed.ts';
import { changesPlugin } from './changes.tsx';
import { useEditorOptions, useRunKey, useScrollToAnswer } from './editors.ts';
import { ExampleMenu, RestoreButton } from './examples.tsx';
import { createFetcher } from './fetcher.ts';
import { createHistory } from './history.ts';
import { historyPlugin } from './history.tsx';
import { RestCalls } from './rest-calls.tsx';
import { createBrowserSession } from './session.ts';
import { createStorage } from './storage.ts';
import { Strip } from './strip.tsx';
import { useAdministrationInTabs, useLinks, useStoredCredentials } from './tab-hooks.ts';
import { openedTabs } from './tabs.ts';

/** The server embeds the settings in the page as data, because its content security policy allows no inline scripts. */
const settings: GraphiqlSettings = JSON.parse(element('settings').textContent);
const session = createBrowserSession(settings, localStorage);
/** One example is open at first; the menu has the others. */
const opened = openedTabs(settings, session.get().administrationId).slice(0, 1);
const history = createHistory(localStorage);
const changes = changesPlugin(createChangeFeed(settings.endpoint, session), session);

createRoot(element('page')).render(
  <GraphiQLProvider
    fetcher={createFetcher(settings.endpoint, session, history)}
    plugins={[DOC_EXPLORER_PLUGIN, historyPlugin(history), changes]}
    referencePlugin={DOC_EXPLORER_PLUGIN}
    defaultTabs={opened}
    // `true` enables the choice in the settings dialog; the storage returns "off" until the user has chosen.
    shouldPersistHeaders={true}
    schemaDescription={true}
    storage={createStorage(opened, localStorage)}
  >
    <DocExplorerStore>
      <Strip settings={settings} session={session} />
      <Interface />
    </DocExplorerStore>
  </GraphiQLProvider>,
);

/** GraphiQL itself, with what this page adds to it. */
function Interface() {
  const chosen = useSyncExternalStore(session.subscribe, () => session.get().administrationId);
  const examples = useMemo(() => openedTabs(settings, chosen), [chosen]);
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

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element with id "${id}"`);
  return found;
}
