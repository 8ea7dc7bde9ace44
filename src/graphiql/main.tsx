import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import 'graphiql/setup-workers/vite';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-explorer/style.css';
import 'graphiql/graphiql.css';
import './page.css';
import './rest-calls.css';
import type { GraphiqlSettings } from '../http/pages/graphiql.ts';
import { createFetcher } from './fetcher.ts';
import { RestCalls } from './rest-calls.tsx';
import { createStorage } from './storage.ts';
import { exampleTabs } from './tabs.ts';

/** The server embeds the settings in the page as data, because its content security policy allows no inline scripts. */
const settings: GraphiqlSettings = JSON.parse(element('settings').textContent);

createRoot(element('page')).render(
  <GraphiQL
    fetcher={createFetcher(settings.endpoint)}
    // Replaces GraphiQL's history, which would store the headers of every run in the browser, even with "Persist
    // headers" off.
    plugins={[explorerPlugin({ showAttribution: false })]}
    defaultTabs={exampleTabs(settings)}
    defaultHeaders={settings.headers}
    // `true` enables the choice in the settings dialog; the storage returns "off" until the user has chosen.
    shouldPersistHeaders={true}
    storage={createStorage(settings, localStorage)}
  >
    <GraphiQL.Logo>{document.title}</GraphiQL.Logo>
    <GraphiQL.Footer>
      <RestCalls />
    </GraphiQL.Footer>
  </GraphiQL>,
);

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element with id "${id}"`);
  return found;
}
