import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from '@graphiql/plugin-doc-explorer';
import { HISTORY_PLUGIN, HistoryStore } from '@graphiql/plugin-history';
import { GraphiQLProvider, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL, GraphiQLInterface } from 'graphiql';
import { type KeyboardEvent, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import './workers.ts';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import './page.css';
import './credential-bar.css';
import './response.css';
import type { GraphiqlSettings } from '../pages/graphiql.ts';
import { CredentialBar } from './credential-bar.tsx';
import { useEditorOptions, useIsReady } from './editors.ts';
import { RestCallEstimate } from './estimate.tsx';
import { ExampleMenu } from './examples.tsx';
import { createFetcher } from './fetcher.ts';
import { createFieldPanel } from './field-tree.tsx';
import { getDefaultFieldNames } from './query-edits.ts';
import { ResponseBar } from './response-bar.tsx';
import { createBrowserSession } from './session.ts';
import { createStorage, getActiveTab } from './storage.ts';
import { useAdministrationInTabs, useLinks, useStopOnLeave } from './tab-hooks.ts';
import { getExamples } from './tabs.ts';

/** The server embeds the settings in the page as data, because its content security policy allows no inline scripts. */
const settings: GraphiqlSettings = JSON.parse(element('settings').textContent);
const session = createBrowserSession(settings, localStorage);
const FIELD_PANEL = createFieldPanel(session);
/** The first example is open on the first visit. */
const [example] = getExamples(settings, session.get().administrationId);
const opened = getActiveTab(localStorage) ?? example;

createRoot(element('page')).render(
  <GraphiQLProvider
    fetcher={createFetcher(settings.endpoint, session)}
    plugins={[DOC_EXPLORER_PLUGIN, FIELD_PANEL, HISTORY_PLUGIN]}
    referencePlugin={DOC_EXPLORER_PLUGIN}
    initialQuery={opened?.query ?? ''}
    initialVariables={opened?.variables ?? ''}
    initialHeaders={opened?.headers ?? ''}
    // `true` enables the choice in the settings dialog, which is off until the user has chosen.
    shouldPersistHeaders={true}
    schemaDescription={true}
    getDefaultFieldNames={getDefaultFieldNames}
    storage={createStorage(localStorage)}
  >
    <HistoryStore maxHistoryLength={50}>
      <DocExplorerStore>
        <CredentialBar settings={settings} session={session} />
        <Interface />
      </DocExplorerStore>
    </HistoryStore>
  </GraphiQLProvider>,
);

/** GraphiQL with the additions of this page. */
function Interface() {
  const { run } = useGraphiQLActions();
  const isReady = useIsReady();
  const mayStore = useGraphiQL(({ shouldPersistHeaders }) => shouldPersistHeaders);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the session reads GraphiQL's stored switch.
  useEffect(session.store, [mayStore]);
  useEditorOptions();
  useAdministrationInTabs(session);
  useLinks();
  useStopOnLeave();
  /** Ctrl+Enter runs the query in an editor; it does so elsewhere too, instead of pressing a button. */
  const runByKeys = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    if (event.target instanceof Element && event.target.closest('.monaco-editor')) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  return (
    <main inert={!isReady} onKeyDownCapture={runByKeys}>
      <GraphiQLInterface showPersistHeadersSettings={true} defaultEditorToolsVisibility="variables">
        <GraphiQL.Logo>
          <ExampleMenu settings={settings} session={session} />
        </GraphiQL.Logo>
        <GraphiQL.Toolbar>
          {({ prettify, merge, copy }) => (
            <>
              {prettify}
              {merge}
              {copy}
              <RestCallEstimate settings={settings} session={session} />
            </>
          )}
        </GraphiQL.Toolbar>
        <GraphiQL.Footer>
          <ResponseBar settings={settings} session={session} />
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
