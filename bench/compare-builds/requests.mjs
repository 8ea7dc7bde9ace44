import { parse, validate } from 'graphql';
import { createDocument, schema } from './documents.mjs';
import { marked } from './service.mjs';

/** What a caller does, and how often. */
export const KINDS = {
  read: 34,
  list: 16,
  page: 10,
  lookup: 10,
  write: 6,
  token: 6,
  credential: 4,
  wrong: 8,
  batch: 4,
  file: 5,
  stream: 1,
};

const LISTS = ['debtors', 'declarationLines', 'deletedCreditCases', 'deletedPayments'];
const READS = [
  ...LISTS,
  'administration',
  'administration',
  'viewer',
  'debtor',
  'declarationLine',
  'node',
  'nodes',
];
const OWN = { bearer: 'demo-token-company-a' };
const APPLICATION = { basic: 'demo-application:demo-application-secret' };
const CREDENTIALS = [
  {},
  { bearer: 'nobody' },
  { bearer: 'demo-token-company-b' },
  { bearer: 'demo-token-read-only-debtors' },
  { bearer: 'demo-token-restricted' },
  { bearer: 'demo-access-token-1' },
  { basic: 'demo-application:wrong' },
  { basic: 'demo-restricted-application:demo-restricted-secret' },
  { ...OWN, ...APPLICATION },
  APPLICATION,
];

/** The requests of one caller, one after the other. */
export function createRequests(random, known, kind) {
  const document = (operation, roots, options) => validDocument(random, known, operation, roots, options);
  const read = (roots = random.some(READS, random.pick([1, 1, 2, 3])), options = {}) => {
    const operation = document('query', roots, options);
    const isSafeForGet = JSON.stringify(operation).length < 3000;
    const via = isSafeForGet && random.chance(0.05) ? 'get' : 'post';
    return { via, operations: [operation], credentials: OWN, headers: headersOf(random) };
  };
  const again = (request) => (random.chance(0.3) ? [request, request] : [request]);
  const several = (create) => Array.from({ length: 1 + random.below(3) }, create).flatMap(again);
  const make = {
    read: () => several(() => read()),
    list: () => several(() => read([random.pick([...LISTS, 'debtors', 'administration'])], { whole: true })),
    lookup: () =>
      several(() =>
        read(random.some(['debtor', 'debtor', 'declarationLine', 'node', 'nodes', 'administration'], 3), {
          depth: 3,
        }),
      ),
    page() {
      const first = read([random.pick(LISTS)], {
        page: true,
        whole: random.chance(0.3),
        depth: 3,
        avoid: /^administration$/,
      });
      const after = (from) => ({ ...first, after: { from, index: random.below(1000) } });
      return [first, after('own'), after('own'), after(random.pick(['old', 'new']))];
    },
    write() {
      const write = {
        ...read(),
        via: 'post',
        operations: [
          document(
            'mutation',
            random.some(
              ['unmarkTaskCompleted', 'updateMessages', 'unmarkTaskCompleted'],
              1 + random.below(3),
            ),
          ),
        ],
      };
      const before = read();
      return [before, write, { ...before, via: 'post' }, read()];
    },
    token() {
      const roots = ['refreshAccessToken', 'createClientCredentialsToken', 'introspectToken'];
      const application = random.pick([
        APPLICATION,
        APPLICATION,
        { basic: 'demo-client-credentials-application:demo-client-credentials-secret' },
      ]);
      const change = {
        ...read(),
        via: 'post',
        operations: [document('mutation', random.some(roots, 1 + random.below(2)))],
        credentials: application,
      };
      const companies = {
        ...read(['companies'], { whole: random.chance(0.4) }),
        credentials: random.pick([APPLICATION, { ...OWN, ...APPLICATION }]),
      };
      const viewer = {
        ...read(['viewer']),
        credentials: random.pick([OWN, { ...OWN, ...APPLICATION }, { bearer: 'demo-access-token-2' }]),
      };
      return random.some([...again(change), ...again(companies), viewer], 3);
    },
    credential: () =>
      several(() => ({
        ...read(random.some([...READS, 'companies'], 2)),
        credentials: random.pick(CREDENTIALS),
      })),
    wrong: () => several(() => spoil(random, read())),
    batch: () =>
      several(() => ({
        ...read(),
        via: 'batch',
        operations: Array.from({ length: random.pick([1, 2, 3, 5, 11]) }, () => read().operations[0]),
      })),
    file() {
      const avoid = random.chance(0.9)
        ? /^(cursor|edges|pageInfo|totals|groups|administration)$/
        : /^(edges|pageInfo)$/;
      const via = random.pick(['csv', 'ndjson', 'csv address', 'ndjson address']);
      return several(() => ({
        ...read([random.pick(LISTS)], { depth: 2, avoid, whole: random.chance(0.2) }),
        via,
        options: random.pick(['', '', 'bom=1', 'separator=;&decimal=,', 'formulas=1', 'colour=red']),
      }));
    },
    stream() {
      const kind = random.pick(['DEBTOR_CHANGED', 'DECLARATION_LINE_CHANGED', 'PAYMENT_DELETED']);
      const since = kind === 'PAYMENT_DELETED' ? known.deletions[0] : '2025-06-25T00:00:00Z';
      const administration = random.pick(['1001', '1001', '2001']);
      const fixed = {
        changes: `(administrationId: "${administration}", kinds: [${kind}], since: "${since}")`,
      };
      // What joins read for the events that nobody waits for depends on time.
      const avoid = /^(administration|debtor|deletedCreditCase)$/;
      const operations = [document('subscription', ['changes'], { depth: 3, avoid, fixed })];
      return [{ via: 'stream', operations, credentials: OWN, headers: {}, events: 1 + random.below(5) }];
    },
  };
  return make[kind]();
}

function validDocument(random, known, operation, roots, options) {
  for (let tries = 0; tries < 6; tries += 1) {
    const made = createDocument(random, known).write(operation, roots, options);
    if (tries === 5 || validate(schema, parse(made.query), undefined, { maxErrors: 1 }).length === 0)
      return made;
  }
}

function headersOf(random) {
  return {
    ...(random.chance(0.15) && { 'x-explain': 'true' }),
    ...(random.chance(0.05) && { 'cache-control': 'no-cache' }),
    ...(random.chance(0.3) && {
      accept: random.pick([
        'application/json',
        'application/graphql-response+json',
        'text/event-stream',
        'text/plain',
        '*/*',
        'application/json;q=0.5, text/csv;q=0.1',
      ]),
    }),
  };
}

/** Something that the gateway has to refuse, or to take for what it is. */
function spoil(random, request) {
  const [{ query, variables }] = request.operations;
  const other = (text, values = variables) => ({
    ...request,
    via: 'post',
    operations: [{ query: text, variables: values }],
  });
  const [name] = Object.keys(variables);
  return random.pick([
    () => other(query.replace(/\{ (\w+)/, '{ nmae $1')),
    () => other(query.replace(/\bid\b|\bname\b/, 'idd')),
    () =>
      other(
        query.replace(
          /first: \d+/,
          `first: ${random.pick(['0', '-1', '10001', '"2"', '1.5', '99999999999'])}`,
        ),
      ),
    () => other(query.slice(0, random.below(query.length))),
    () =>
      other(query, {
        ...variables,
        ...(name && { [name]: random.pick([7, {}, [null], true, 'no', null, [[]], 2 ** 40]) }),
      }),
    () => other(query, {}),
    () => other(query, random.pick([[], 'text', 7, null])),
    () => other(query.replace('(', '(last: 1, ')),
    () => other(`${query} fragment Unused on Debtor { id }`),
    () => other(`${query} query Other { viewer { clientId } }`),
    () => other('{ debtors(administrationId: "1003", ids: ["1,2"]) { nodes { id } } }'),
    () => other('{ debtors(administrationId: "1003", updatedAfter: "yesterday") { nodes { id } } }'),
    () => other('{ debtors(administrationId: "1003", debtorNumbers: []) { nodes { id } } }'),
    () => other('{ debtors(administrationId: "1003", after: "nonsense") { nodes { id } } }'),
    () => other('{ debtor(administrationId: "1003", by: { id: "1", debtorNumber: "2" }) { id } }'),
    () => other('mutation { updateMessages(input: { administrationId: "1003", messages: [] }) { count } }'),
    () => other('{ __schema { queryType { name } } __type(name: "Debtor") { fields { name } } }'),
    () => ({
      ...request,
      via: 'get',
      operations: [{ query: 'mutation { createClientCredentialsToken { token { scopes } } }' }],
    }),
    () => ({
      ...request,
      via: 'raw',
      raw: random.pick([
        { body: '{' },
        { body: '' },
        { body: '7' },
        { body: '{"query":7}' },
        { body: '[]' },
        { method: 'PUT', body: '{}' },
        { body: '{}', type: 'text/plain' },
        { body: '{"query":"{ __typename }"}', type: 'application/graphql' },
        { method: 'GET', path: '/graphql?query=' },
        { method: 'GET', path: '/nowhere' },
      ]),
    }),
  ])();
}

/** As HTTP, for a run of its own; `after` is a cursor if the request goes on after another one. */
export function toHttp(request, run, after) {
  const { via, operations, credentials, raw = {}, options = '' } = request;
  const { bearer, basic } = credentials;
  const hidden =
    basic && `Basic ${Buffer.from(basic.replace(/^[^:]*/, (id) => marked(id, run))).toString('base64')}`;
  const token = bearer && `Bearer ${marked(bearer, run)}`;
  const headers = {
    ...((token ?? hidden) ? { authorization: token ?? hidden } : {}),
    ...(token && hidden && { 'x-client-authorization': hidden }),
    ...request.headers,
  };
  const sent = operations.map(({ query, variables }) => ({
    query,
    variables: after === undefined ? variables : { ...variables, after },
  }));
  const post = (path, body, more = {}) => ({
    method: 'POST',
    path,
    headers: { ...headers, ...more, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const address = (path) => {
    const values = {
      query: sent[0].query,
      ...(sent[0].variables && { variables: JSON.stringify(sent[0].variables) }),
    };
    return {
      method: 'GET',
      path: `${path}?${new URLSearchParams(values)}${options && `&${options}`}`,
      headers,
    };
  };
  const make = {
    post: () => post('/graphql', sent[0]),
    batch: () => post('/graphql', sent),
    get: () => address('/graphql'),
    csv: () => post(`/graphql?${options}`, sent[0], { accept: 'text/csv' }),
    ndjson: () => post(`/graphql?${options}`, sent[0], { accept: 'application/x-ndjson' }),
    'csv address': () => address('/graphql.csv'),
    'ndjson address': () => address('/graphql.ndjson'),
    stream: () => post('/graphql', sent[0], { accept: 'text/event-stream' }),
    raw: () => ({
      method: raw.method ?? 'POST',
      path: raw.path ?? '/graphql',
      headers: {
        ...headers,
        ...(raw.body !== undefined && { 'content-type': raw.type ?? 'application/json' }),
      },
      body: raw.body,
    }),
  };
  return make[via]();
}
