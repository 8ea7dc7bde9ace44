import { createDocument, isValid } from './documents.mjs';
import { marked } from './service.mjs';
import { spoil } from './wrong-requests.mjs';

/** The actions of a caller, and how often each occurs. */
export const KINDS = {
  ...{ read: 34, list: 16, page: 10, lookup: 10, write: 6, token: 6 },
  ...{ credential: 4, wrong: 8, batch: 4, file: 5 },
};

const LISTS = ['debtors', 'declarationLines', 'deletedCreditCases', 'deletedPayments'];
const LOOKUPS = ['debtor', 'declarationLine', 'node', 'nodes', 'administration'];
const READS = [...LISTS, ...LOOKUPS, 'viewer', 'administration'];
const WRITES = ['unmarkTaskCompleted', 'updateMessages', 'unmarkTaskCompleted'];
const TOKEN_CALLS = ['refreshAccessToken', 'createClientCredentialsToken', 'introspectToken'];
const OWN = { bearer: 'demo-token-company-a' };
const APPLICATION = { basic: 'demo-application:demo-application-secret' };
const CLIENT = { basic: 'demo-client-credentials-application:demo-client-credentials-secret' };
const BEARERS = [
  'nobody',
  ...['company-b', 'read-only-debtors', 'restricted'].map((name) => `demo-token-${name}`),
];
const CREDENTIALS = [
  ...[{}, APPLICATION, { ...OWN, ...APPLICATION }, { basic: 'demo-application:wrong' }],
  ...[...BEARERS, 'demo-access-token-1'].map((bearer) => ({ bearer })),
  { basic: 'demo-restricted-application:demo-restricted-secret' },
];
const ACCEPTED = ['json', 'graphql-response+json', 'json;q=0.5, text/csv;q=0.1', 'pdf'];
const FILE_OPTIONS = ['', '', 'bom=1', 'separator=;&decimal=,', 'formulas=1', 'colour=red'];

/** The requests of one caller, one after the other. */
export function createRequests(random, kind) {
  const make = {
    read: () => several(() => read()),
    list: () => several(() => read([random.pick([...LISTS, 'debtors', 'administration'])], { whole: true })),
    lookup: () => several(() => read(random.some([...LOOKUPS, 'debtor'], 3), { depth: 3 })),
    page() {
      const whole = random.chance(0.3);
      const first = read([random.pick(LISTS)], { page: true, whole, depth: 3, avoid: /^administration$/ });
      const behind = () => ({ ...first, after: random.below(1000) });
      return [first, behind(), behind()];
    },
    write() {
      const before = read();
      return [before, mutation(random.some(WRITES, 1 + random.below(3)), OWN), before, read()];
    },
    token() {
      const both = { ...OWN, ...APPLICATION };
      const roots = random.some(TOKEN_CALLS, 1 + random.below(2));
      const change = mutation(roots, random.pick([APPLICATION, CLIENT]));
      const companies = read(['companies'], { whole: random.chance(0.4) });
      return [
        ...random.pick([[], [change], [change, change]]),
        { ...companies, credentials: random.pick([APPLICATION, both]) },
        { ...read(['viewer']), credentials: random.pick([OWN, both, { bearer: 'demo-access-token-2' }]) },
      ];
    },
    credential() {
      const roots = () => random.some([...READS, 'companies'], 2);
      return several(() => ({ ...read(roots()), credentials: random.pick(CREDENTIALS) }));
    },
    wrong: () => several(() => spoil(random, read())),
    batch() {
      const operations = (length) => Array.from({ length }, () => read().operations[0]);
      return several(() => ({
        ...read(),
        via: 'batch',
        operations: operations(random.pick([1, 2, 3, 5, 11])),
      }));
    },
    file() {
      const columns = /^(cursor|edges|pageInfo|totals|groups|administration)$/;
      const avoid = random.chance(0.9) ? columns : /^(edges|pageInfo)$/;
      const via = random.pick(['csv', 'ndjson', 'csv address', 'ndjson address']);
      const list = () => read([random.pick(LISTS)], { depth: 2, avoid, whole: random.chance(0.2) });
      return several(() => ({ ...list(), via, options: random.pick(FILE_OPTIONS) }));
    },
  };
  return make[kind]();

  function read(roots = random.some(READS, random.pick([1, 1, 2, 3])), options = {}) {
    const document = validDocument('query', roots, options);
    const isShort = JSON.stringify(document).length < 3000;
    const headers = {
      ...(random.chance(0.15) && { 'x-explain': 'true' }),
      ...(random.chance(0.05) && { 'cache-control': 'no-cache' }),
      ...(random.chance(0.3) && { accept: `application/${random.pick(ACCEPTED)}` }),
    };
    const via = isShort && random.chance(0.05) ? 'get' : 'post';
    return { via, operations: [document], credentials: OWN, headers };
  }

  function mutation(roots, credentials) {
    return { via: 'post', operations: [validDocument('mutation', roots)], credentials };
  }

  /** Some of them twice, to see what is remembered. */
  function several(create) {
    const requests = Array.from({ length: 1 + random.below(3) }, create);
    return requests.flatMap((request) => (random.chance(0.3) ? [request, request] : [request]));
  }

  function validDocument(...what) {
    for (let tries = 0; ; tries += 1) {
      const made = createDocument(random, ...what);
      if (tries > 5 || isValid(made.query)) return made;
    }
  }
}

/** Makes an HTTP request of a run; `after` is a cursor if the request continues after another one. */
export function toHttp({ via, operations, credentials, raw = {}, options = '', headers: own }, run, after) {
  const { bearer, basic = '' } = credentials;
  const pair = Buffer.from(basic.replace(':', `${marked('', run)}:`)).toString('base64');
  const headers = {
    'content-type': raw.type ?? 'application/json',
    ...(basic && { authorization: `Basic ${pair}` }),
    ...(bearer && { authorization: `Bearer ${marked(bearer, run)}` }),
    ...(basic && bearer && { 'x-client-authorization': `Basic ${pair}` }),
    ...own,
    ...(via === 'csv' && { accept: 'text/csv' }),
    ...(via === 'ndjson' && { accept: 'application/x-ndjson' }),
  };
  const sent = operations.map(({ query, variables }) => ({
    query,
    variables: after === undefined ? variables : { ...variables, after },
  }));
  const [{ query, variables = {} }] = sent;
  if (via === 'get' || via.endsWith('address')) {
    const path = { get: '/graphql', 'csv address': '/graphql.csv', 'ndjson address': '/graphql.ndjson' }[via];
    const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    return { method: 'GET', path: `${path}?${parameters}&${options}`, headers };
  }
  const body = via === 'raw' ? undefined : JSON.stringify(via === 'batch' ? sent : sent[0]);
  return { method: 'POST', path: `/graphql${options && `?${options}`}`, body, ...raw, headers };
}
