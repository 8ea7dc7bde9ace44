import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/credentials.ts';
import type { Compression } from '../http/compression.ts';
import { createClientModules } from '../pages/client-modules.ts';
import { createDocs } from '../pages/docs/index.ts';
import { type ExampleIds, exampleTabs } from '../pages/examples.ts';
import { createGraphiql, createGraphiqlAbsence, type GraphiqlSettings } from '../pages/graphiql.ts';
import type { LandingFacts } from '../pages/landing/contents.ts';
import { createLanding, type LandingState } from '../pages/landing/index.ts';
import type { RestService } from '../pages/probes.ts';
import type { Route } from '../pages/route.ts';
import { createSchemaText } from '../pages/schema-text.ts';
import { schema } from '../schema/index.ts';
import { version } from '../version.ts';

export const ENDPOINT = '/graphql';
const DEMO_IDS: ExampleIds = {
  administrationId: '1001',
  debtorNumber: 'D10000',
  taskId: '400001',
  messageIds: ['500028', 'unknown'],
};
const NO_IDS: ExampleIds = { administrationId: '', debtorNumber: '', taskId: '', messageIds: [''] };

/** Where the pages were built. */
export interface Builds {
  readonly graphiql: URL;
  readonly docs: URL;
}

export function restServiceOf({ restUrl }: Pick<Config, 'restUrl'>): RestService {
  return restUrl === undefined ? 'embedded' : 'REST_URL';
}

export function factsOf(embedded: boolean, trusted: boolean): LandingFacts {
  const example = embedded
    ? { token: demoCredentials.tokens.companyA, administrationId: DEMO_IDS.administrationId }
    : { token: '<your access token>', administrationId: '<your administration>' };
  return { version, endpoint: ENDPOINT, embedded, example, trusted };
}

export function createPages(
  facts: LandingFacts,
  state: LandingState,
  compression: Compression,
  builds: Builds,
): Route[] {
  // With trusted documents only, every request of GraphiQL would be rejected, even its introspection query.
  const hasGraphiql = !facts.trusted;
  const pages = [
    createLanding(facts, state, compression),
    createSchemaText(schema, compression),
    createClientModules(schema, compression),
    createDocs(builds.docs, { version, graphiql: hasGraphiql ? facts.endpoint : undefined }, compression),
  ];
  const graphiql = hasGraphiql
    ? createGraphiql(graphiqlSettings(facts), builds.graphiql, compression)
    : createGraphiqlAbsence(facts.endpoint);
  return [...pages, graphiql];
}

/** Over a real service the page starts empty: the user gives the credentials. */
function graphiqlSettings({ endpoint, embedded }: LandingFacts): GraphiqlSettings {
  const ids = embedded ? DEMO_IDS : NO_IDS;
  const { application, tokens } = demoCredentials;
  return {
    endpoint,
    credentials: embedded
      ? { token: tokens.companyA, ...application }
      : { token: '', clientId: '', clientSecret: '' },
    administrationId: ids.administrationId,
    tabs: exampleTabs(ids),
  };
}
