/** Documents that are wrong, or odd, in a way of their own. */
const DOCUMENTS = [
  '{ debtors(administrationId: "1003", ids: ["1,2"]) { nodes { id } } }',
  '{ debtors(administrationId: "1003", updatedAfter: "yesterday") { nodes { id } } }',
  '{ debtors(administrationId: "1003", after: "nonsense") { nodes { id } } }',
  '{ debtor(administrationId: "1003", by: { id: "1", debtorNumber: "2" }) { id } }',
  '{ __schema { queryType { name } } __type(name: "Debtor") { fields { name } } }',
  'mutation { updateMessages(input: { administrationId: "1003", messages: [] }) { count } }',
  'query Two { __typename } query Op { viewer { clientId } }',
  'query ($id: ID!) { administration(id: $id) { id } } fragment Unused on Debtor { id }',
];
const CHANGES = [
  [/\{ (\w+)/, '{ nmae $1'],
  [/\(/, '(last: 1, '],
  [/.{9}$/, ''],
  [/: \[?"/, '$&,"'],
  ...['-1', '10001', '"2"', '99999999999'].map((size) => [/first: \d+/, `first: ${size}`]),
];
const VALUES = [7, {}, [null], true, 'no', null, [[]], 2 ** 40];
const RAW = [
  ...['{', '', '7', '{"query":7}', '[]', '{}'].map((body) => ({ body })),
  { body: '{"query":"{ __typename }"}', type: 'text/plain' },
  { method: 'PUT', body: '{"query":"{ __typename }"}' },
  { method: 'GET', path: '/graphql?query=mutation{createClientCredentialsToken{token{scopes}}}' },
];

/** Something that the gateway has to refuse, or to take for what it is. */
export function spoil(random, request) {
  const [{ query, variables }] = request.operations;
  const [name = 'none'] = Object.keys(variables);
  const post = (changed) => ({ ...request, via: 'post', operations: [{ query, variables, ...changed }] });
  return random.pick([
    () => post({ query: random.pick(DOCUMENTS) }),
    () => post({ query: query.replace(...random.pick(CHANGES)) }),
    () => post({ variables: { ...variables, [name]: random.pick(VALUES) } }),
    () => ({ ...request, via: 'raw', raw: random.pick(RAW) }),
  ])();
}
