import { expect, test } from 'vitest';
import { demoCredentials } from '../../src/demo/applications.ts';
import { APPLICATION_FIELDS } from '../../src/graphiql/advice.ts';
import { createFetcher } from '../../src/graphiql/fetcher.ts';
import { isResult } from '../../src/graphiql/result.ts';
import { createBrowserSession } from '../../src/graphiql/session.ts';
import { schema } from '../../src/schema/index.ts';
import { useGateway } from '../support/gateway.ts';
import { memoryStorage } from './memory-storage.ts';

const gateway = await useGateway({ withoutApplication: true });

const NONE = { token: '', clientId: '', clientSecret: '' };
const TOKEN = { ...NONE, token: 'demo-token-company-a' };
const DEBTORS = '{ debtors(administrationId: "1001", first: 1) { nodes { name } } }';
const VIEWER = '{ viewer { company { name } } }';
const { application } = demoCredentials;
const COMPANIES = '{ companies { nodes { name } } }';
const OTHER_TOKEN = 'Paste another access token into the box at the top.';
const APPLICATION =
  'This needs an application. Open “Application” at the top and enter its client id and secret.';
const IN_BAR = 'This needs an application: enter its client id and secret.';
const IN_TAB = 'The headers of this tab override the token at the top: change them below the query.';

/** Runs a query as the page does; returns what it advises, and what the credential bar shows. */
async function run(query: string, credentials: typeof NONE, headers: Record<string, string>) {
  const session = createBrowserSession(
    { endpoint: '', credentials, administrationId: '1', tabs: [] },
    memoryStorage(),
  );
  const { value: answer } = await createFetcher(gateway.url, session)({ query }, { headers }).next();
  const advice = isResult(answer) ? answer.extensions?.graphiql?.advice : undefined;
  return { answer, advice, summary: session.get().credentialError };
}

test.each([
  ['no token', DEBTORS, NONE, 'Paste an access token into the box at the top.', null],
  [
    'a wrong token',
    DEBTORS,
    { ...NONE, token: 'wrong' },
    expect.stringMatching(`rejected the credential.* ${OTHER_TOKEN}$`),
    'Token not accepted: mistyped, expired, or of another application?',
  ],
  [
    'a token for another administration',
    DEBTORS,
    { ...NONE, token: 'demo-token-company-b' },
    expect.stringMatching(
      /does not allow.* Otherwise choose another administration at the top, or in the query if it names one, or paste another access token\.$/,
    ),
    'Not allowed: the response says why.',
  ],
  [
    'no administration',
    '{ debtors(administrationId: "") { nodes { name } } }',
    TOKEN,
    'Choose an administration at the top.',
    'Choose an administration.',
  ],
  [
    'an administration that the query does not name',
    '{ debtors { nodes { name } } }',
    TOKEN,
    expect.stringMatching(
      /is required.* Or declare `\$administrationId: ID!`: the page fills it in from the box at the top\.$/,
    ),
    null,
  ],
  ['no query', '', TOKEN, 'Write a query, or choose one from “Examples”.', null],
  ['no application', COMPANIES, TOKEN, APPLICATION, IN_BAR],
  [
    'a wrong application',
    COMPANIES,
    { ...TOKEN, clientId: 'x', clientSecret: 'y' },
    expect.stringMatching(/Check the client id and secret under “Application” at the top\.$/),
    'Application not accepted: is the client id or secret mistyped?',
  ],
  [
    'a wrong token for a right application',
    VIEWER,
    { token: 'wrong', clientId: application.clientId, clientSecret: application.clientSecret },
    expect.stringContaining(OTHER_TOKEN),
    'Token not accepted: mistyped, expired, or of another application?',
  ],
  ['all that is needed', DEBTORS, TOKEN, null, null],
])('with %s, the page advises and names no header', async (_case, query, credentials, advice, summary) => {
  const shown = await run(query, credentials, {});
  expect(shown).toMatchObject({ advice, summary });
  expect(shown.advice ?? '').not.toMatch(/header|Bearer|Basic/);
});

test('a rejected credential of a tab is reported in its result, not in the credential bar', async () => {
  const shown = await run(DEBTORS, TOKEN, { Authorization: 'Bearer wrong' });
  expect(shown).toMatchObject({
    advice: expect.stringMatching(`rejected the credential.* ${IN_TAB}$`),
    summary: null,
  });
});

test('the descriptions of fields that need an application say so', () => {
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  );
  const names = fields
    .filter(({ description }) => description?.endsWith(' Needs Basic credentials.'))
    .map(({ name }) => name);
  expect(names.sort()).toEqual(APPLICATION_FIELDS.toSorted());
});
