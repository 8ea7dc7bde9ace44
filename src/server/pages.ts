import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import type { Compression } from '../http/compression.ts';
import { packageFile } from '../package.ts';
import { createDocs } from '../pages/docs.ts';
import { exampleTabs } from '../pages/examples.ts';
import { createGraphiql } from '../pages/graphiql.ts';
import { createLanding } from '../pages/landing.ts';
import { ENDPOINT, type Route } from '../pages/route.ts';
import { createClientModules, createSchemaText } from '../pages/static-page.ts';
import { schema } from '../schema/index.ts';

const { tokens, application } = demoCredentials;

/** Examples on pages and in the greeting. */
const EMBEDDED = {
  restService: 'embedded',
  example: { token: tokens.companyA, administrationId: '1001' },
  ids: {
    administrationId: '1001',
    debtorNumber: 'D10000',
    taskId: '400001',
    messageIds: ['500028', 'unknown'],
  },
  credentials: { token: tokens.companyA, ...application },
} as const;
/** For a real service GraphiQL starts empty: users enter their credentials, and example ids might be real records. */
const REAL = {
  restService: 'REST_URL',
  example: { token: '<your access token>', administrationId: '<your administration>' },
  ids: { administrationId: '', debtorNumber: '', taskId: '', messageIds: [''] },
  credentials: { token: '', clientId: '', clientSecret: '' },
} as const;

export function getDisplaySettings({ restUrl, trustedDocuments }: Config) {
  const embedded = restUrl === undefined;
  return { ...(embedded ? EMBEDDED : REAL), embedded, trusted: trustedDocuments !== undefined };
}

/** Creates the pages of the gateway, except those for operators. */
export function createPages(config: Config, compression: Compression): Route[] {
  const display = getDisplaySettings(config);
  const { ids, credentials, trusted } = display;
  const { administrationId } = ids;
  const settings = { endpoint: ENDPOINT, administrationId, tabs: exampleTabs(ids), credentials };
  return [
    createLanding(display, config.metrics && config.adminPort === undefined),
    createSchemaText(schema, compression),
    ...createClientModules(packageFile('dist/clients/'), compression),
    createDocs(packageFile('dist/docs/'), !trusted, compression),
    createGraphiql(settings, packageFile('dist/graphiql/'), trusted, compression),
  ];
}
