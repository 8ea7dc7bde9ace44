import { describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.ts';

const gateway = await useGateway();

const debtors = (args: string, selection = 'nodes { name }') =>
  `{ debtors(administrationId: "1001"${args}) { ${selection} } }`;

const FORWARD = 'Lists are read forward only: use `first` and `after`.';
const NEXT = 'Lists are read with `first: …`, and the next page with `after: <endCursor of pageInfo>`.';
const ORDER = 'Order by `orderBy: [{ field: NAME, direction: DESC }]`.';
const COUNT = 'Use `totals { count }`.';
const field = (name: string, type = 'DebtorConnection') => `Cannot query field "${name}" on type "${type}".`;
const argument = (name: string, on = 'Query.debtors') => `Unknown argument "${name}" on field "${on}".`;

test.each([
  [debtors('', 'totalCount'), `${field('totalCount')} ${COUNT}`],
  [debtors('', 'total'), `${field('total')} ${COUNT}`],
  ['{ companies { count } }', `${field('count', 'CompanyConnection')} ${COUNT}`],
  [debtors('', 'items { name }'), `${field('items')} The rows are in \`nodes\`.`],
  [
    debtors('', 'bookOpenAmount'),
    `${field('bookOpenAmount')} Ask for it below \`nodes\`: \`nodes { bookOpenAmount }\`.`,
  ],
  [debtors(', last: 5'), `${argument('last')} ${FORWARD}`],
  [debtors(', before: "x"'), `${argument('before')} ${FORWARD}`],
  [
    '{ administration(id: "1") { declarationLines(last: 5) { nodes { id } } } }',
    `${argument('last', 'Administration.declarationLines')} ${FORWARD}`,
  ],
  [debtors(', offset: 100'), `${argument('offset')} ${NEXT}`],
  [debtors(', page: 2'), `${argument('page')} ${NEXT}`],
  [debtors(', limit: 5'), `${argument('limit')} Use \`first\` to say how many rows.`],
  // graphql-js itself would suggest `after`.
  [debtors(', filter: { name: "x" }'), `${argument('filter')} Use \`where: { … }\` to filter.`],
  [debtors(', sort: "name"'), `${argument('sort')} ${ORDER}`],
  [debtors(', order: NAME'), `${argument('order')} ${ORDER}`],
  [debtors(', orderBy: { name: DESC }'), `Field "name" is not defined by type "DebtorOrder". ${ORDER}`],
  [debtors(', orderBy: INTERNAL_ID'), expect.stringMatching(/ Order by `orderBy: /)],
  [debtors(', orderBy: "name"'), expect.stringMatching(/ Order by `orderBy: /)],
  [
    '{ ... @defer { __typename } }',
    'Unknown directive "@defer". Answers are sent whole: leave it out, and ask for what is slow in an operation of its own.',
  ],
  [
    debtors('', 'nodes @stream(initialCount: 1) { name }'),
    expect.stringMatching(/^Unknown directive "@stream"\. Answers are sent whole: /),
  ],
  [debtors(', name: "x"'), `${argument('name')} Write \`where: { name: { … } }\`.`],
  [debtors(', groupBy: NAME'), `${argument('groupBy')} Use \`groups(by: …) { … }\` below the list.`],
  [
    debtors('', 'aggregate { sum }'),
    `${field('aggregate')} Use \`totals { count bookOpenAmount { sum } }\`.`,
  ],
  [
    debtors('', 'totals { sum }'),
    `${field('sum', 'DebtorTotals')} Ask for it below \`bookOpenAmount\`: \`bookOpenAmount { sum }\`.`,
  ],
  [
    debtors('', 'endCursor'),
    `${field('endCursor')} Ask for it below \`pageInfo\`: \`pageInfo { endCursor }\`.`,
  ],
  [
    '{ debtorsAggregate { sum } }',
    `${field('debtorsAggregate', 'Query')} Use \`totals { … }\` below the list.`,
  ],
  [
    '{ administrations { id } }',
    `${field('administrations', 'Query')} Ask for it below \`viewer\`: \`viewer { administrations { … } }\`.`,
  ],
  ['{ me { id } }', `${field('me', 'Query')} Use \`viewer { … }\`.`],
  ['{ invoices { id } }', expect.stringMatching(/^Cannot .* The REST service lists no invoices\. Their /)],
  [debtors('', 'nodes { lastTask { id } }'), expect.stringMatching(/ lists no tasks\. The mutation /)],
  [
    debtors('', 'nodes { payments { id } }'),
    expect.stringMatching(/ those that were deleted: `deletedPayments`/),
  ],
  [debtors('', 'nodes { balance }'), 'Cannot query field "balance" on type "Debtor". Use `bookOpenAmount`.'],
  [debtors('', 'totals { amount { sum } }'), expect.stringMatching(/ Use `bookOpenAmount`\.$/)],
  [
    debtors('', 'groups(by: NAME, where: { name: { eq: "x" } }) { key }'),
    expect.stringMatching(/ Put `where` on the list: /),
  ],
  [
    debtors('', 'groups(by: [NAME, CITY]) { key }'),
    '`by` takes a value of the enum "DebtorGroupField". Give a second one as `thenBy`.',
  ],
  [
    debtors('', 'groups(by: "postalAddress.city") { key }'),
    '`by` takes a value of the enum "DebtorGroupField". Did you mean POSTAL_ADDRESS_CITY?',
  ],
  [debtors('', 'nodes { email }'), expect.stringMatching(/ Use `primaryEmailAddress`\./)],
  [debtors('', 'nodes { tasks { id } }'), expect.stringMatching(/ lists no tasks\. The mutation /)],
  [
    '{ administration(id: "1") { messages { id } } }',
    expect.stringMatching(/ lists no messages\. The mutation /),
  ],
  ['{ debtor(id: "1") { name } }', `${argument('id', 'Query.debtor')} Write \`by: { id: … }\`.`],
  [
    'mutation { unmarkTaskCompleted(taskId: "1") { task { id } } }',
    `${argument('taskId', 'Mutation.unmarkTaskCompleted')} Write \`input: { taskId: … }\`.`,
  ],
])('a message says what there is instead: %s', async (query, message) => {
  const { errors } = await gateway.query(query);
  expect(errors?.map((error) => error.message)).toContainEqual(message);
  for (const { extensions } of errors ?? []) expect(extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(gateway.calls()).toEqual([]);
});

/** Values as literals, which are the same in JSON where there is no third member. */
const AMOUNT = 'an Amount as text, such as "100.00".';
const KEYS = 'Its keys are id, debtorNumber and debtorIdentifier.';
const TEXT = 'The conditions are eq, in, contains, startsWith and isNull.';
const WHERE = 'DebtorWhere';

describe.each<[type: string, literal: string, json: unknown, place: string, reason: string]>([
  [WHERE, '{ bookOpenAmount: { gt: 100 } }', { bookOpenAmount: { gt: 100 } }, 'gt', AMOUNT],
  [WHERE, '{ bookOpenAmount: { gt: 100.00 } }', { bookOpenAmount: { gt: 100.5 } }, 'gt', AMOUNT],
  [
    WHERE,
    '{ updatedAt: { gt: "2025-01-01" } }',
    { updatedAt: { gt: '2025-01-01' } },
    'gt',
    'a DateTime: ISO 8601 with an offset, such as 2024-05-01T00:00:00Z or 2024-05-01T02:00:00+02:00, and at most ' +
      'nine digits of a second.',
  ],
  [
    WHERE,
    '{ name: "x" }',
    { name: 'x' },
    'name',
    'an object of type "TextWhere". Write `name: { eq: "…" }`.',
  ],
  [
    WHERE,
    '{ bookOpenAmount: 5 }',
    { bookOpenAmount: 5 },
    'bookOpenAmount',
    'an object of type "AmountWhere". Write `bookOpenAmount: { eq: "100.00" }`.',
  ],
  ['[DebtorOrder!]', '"NAME"', 'NAME', 'orderBy', `an object of type "DebtorOrder". ${ORDER}`],
  [
    '[DebtorOrder!]',
    '[{ field: name, direction: ASC }]',
    [{ field: 'name', direction: 'ASC' }],
    'field',
    'a value of the enum "DebtorOrderField". Did you mean NAME?',
  ],
  [
    '[DebtorOrder!]',
    '[{ field: NAME, direction: xyzxyz }]',
    [{ field: 'NAME', direction: 'xyzxyz' }],
    'direction',
    'a value of the enum "OrderDirection". It is one of ASC and DESC.',
  ],
  ['Int', '"5"', '5', 'first', 'an Int: a whole number up to 2147483647, without quotes.'],
  ['Int', '[[5, "x"]]', [[5, 'x']], 'first', 'an Int: a whole number up to 2147483647, without quotes.'],
  [
    WHERE,
    '{ peppolEnabled: { eq: "true" } }',
    { peppolEnabled: { eq: 'true' } },
    'eq',
    'a Boolean: true or false, without quotes.',
  ],
  [WHERE, '{ name: { eq: 5 } }', { name: { eq: 5 } }, 'eq', 'a String: text in double quotes.'],
])('a value says what it has to be: %s %s', (type, literal, json, place, reason) => {
  const ARGUMENTS: { readonly [type: string]: string } = { [WHERE]: 'where', Int: 'first' };
  const argument = ARGUMENTS[type] ?? 'orderBy';

  test('as a literal', async () => {
    const { errors } = await gateway.query(debtors(`, ${argument}: ${literal}`));
    expect(errors).toMatchObject([{ message: `\`${place}\` takes ${reason}`, locations: [{ line: 1 }] }]);
  });

  test('as the default of a variable', async () => {
    const query = `query ($v: ${type} = ${literal}) ${debtors(`, ${argument}: $v`)}`;
    const name = place === argument ? '$v' : place;
    const { errors } = await gateway.query(query);
    expect(errors?.[0]?.message).toBe(`\`${name}\` takes ${reason}`.replace('Write `orderBy', 'Write `$v'));
  });

  test('as a variable', async () => {
    const query = `query ($v: ${type}) ${debtors(`, ${argument}: $v`)}`;
    const { errors } = await gateway.query(query, { v: json });
    expect(errors?.[0]?.message).toMatch(/^Variable "\$v" got an invalid value at "v/);
    expect(errors?.[0]?.message).toContain(`: Expected ${reason}`);
  });
});

test.each<[type: string, literal: string, json: unknown, advice: string]>([
  [WHERE, '{ name: { like: "x" } }', { name: { like: 'x' } }, TEXT],
  [WHERE, '{ name_contains: "x" }', { name_contains: 'x' }, 'Write `name: { contains: "…" }`.'],
  [WHERE, '{ name_like: "x" }', { name_like: 'x' }, TEXT.replace('conditions', 'conditions on `name`')],
  [
    WHERE,
    '{ labels: { name: { eq: "x" } } }',
    { labels: { name: { eq: 'x' } } },
    'Write `some: { name: … }`, or `every` or `none` in its place.',
  ],
  [WHERE, '{ city: { eq: "x" } }', { city: { eq: 'x' } }, 'Write `postalAddress: { city: { … } }`.'],
  ['DebtorBy!', '{}', {}, KEYS],
  ['DebtorBy!', '{ id: "1", debtorNumber: "2" }', { id: '1', debtorNumber: '2' }, KEYS],
  ['DebtorBy!', '{ name: "x" }', { name: 'x' }, KEYS],
])(
  'the fields of an input are told, by literal and by variable: %s %s',
  async (type, literal, json, advice) => {
    const query = (value: string) =>
      type === WHERE
        ? debtors(`, where: ${value}`)
        : `{ debtor(administrationId: "1001", by: ${value}) { name } }`;
    const byLiteral = await gateway.query(query(literal));
    const byVariable = await gateway.query(`query ($v: ${type}) ${query('$v')}`, { v: json });
    for (const { errors } of [byLiteral, byVariable])
      expect(errors?.map(({ message }) => message.endsWith(` ${advice}`))).toContain(true);
  },
);

test.each([
  ['groups(by: $) { key }', 'DebtorGroupField', 'CITY', 'POSTAL_ADDRESS_CITY'],
  ['groups(by: $) { key }', 'DebtorGroupField', 'addressCity', 'POSTAL_ADDRESS_CITY'],
  ['groups(by: $) { key }', 'DebtorGroupField', 'labels', 'LABELS_NAME'],
  ['groups(by: $) { key }', 'DebtorGroupField', 'LABEL', 'LABELS_NAME'],
  [
    'groups(by: NAME, orderBy: { field: $ }) { key }',
    'DebtorGroupOrderField',
    'CREDIT_AMOUNT',
    'CREDIT_LIMIT_AMOUNT_SUM, AUTOGENERATED_CREDIT_LIMIT_AMOUNT_SUM or EXTERNAL_CREDIT_LIMIT_AMOUNT_SUM',
  ],
])(
  'a part of a value of an enum is completed, by literal and by variable: %s %s %s',
  async (field, type, part, whole) => {
    const query = (value: string) =>
      `{ debtors(administrationId: "1001") { ${field.replace('$', () => value)} } }`;
    const byLiteral = await gateway.query(query(part));
    const byVariable = await gateway.query(`query ($v: ${type}!) ${query('$v')}`, { v: part });
    for (const { errors } of [byLiteral, byVariable])
      expect(errors?.[0]?.message).toMatch(new RegExp(`of the enum "${type}"\\. Did you mean ${whole}\\?$`));
  },
);

test('an enum in quotes says that it takes none', async () => {
  const { errors } = await gateway.query(debtors(', orderBy: { field: "NAME", direction: ASC }'));
  expect(errors?.[0]?.message).toBe(
    '`field` takes a value of the enum "DebtorOrderField". Write it without quotes.',
  );
});

test('a message about a value repeats nothing of it', async () => {
  const SECRET = `s3cret${'x'.repeat(50_000)}`;
  for (const value of [`"${SECRET}"`, SECRET, `["${SECRET}"]`, `{ ${SECRET}: "${SECRET}" }`])
    for (const place of ['first: $', 'claimStatus: $', 'updatedAfter: $', 'where: { claim: { eq: $ } }']) {
      const args = place.replace('$', () => value);
      const { text } = await gateway.query(
        `{ declarationLines(administrationId: "1001", ${args}) { nodes { id } } }`,
      );
      expect(text).not.toContain('s3cret');
      expect(text.length).toBeLessThan(2_000);
    }
});

test.each([
  // Names of other lists mean nothing on a type that is none.
  ['{ viewer { totalCount } }', 'Cannot query field "totalCount" on type "Viewer".'],
  ['{ administration(id: "1", last: 5) { id } }', 'Unknown argument "last" on field "Query.administration".'],
  [debtors('', 'xyz'), field('xyz')],
  [debtors(', xyz: 1'), argument('xyz')],
  // What is only misspelled keeps the suggestion of graphql-js.
  [
    debtors('', 'nods { name }'),
    'Cannot query field "nods" on type "DebtorConnection". Did you mean "nodes"?',
  ],
  [debtors('', 'nodes { name @includ(if: true) }'), 'Unknown directive "@includ".'],
  [
    debtors('', 'nodes @include(last: 5, if: true) { name }'),
    'Unknown argument "last" on directive "@include".',
  ],
])('other messages stay as they are: %s', async (query, message) => {
  const { errors } = await gateway.query(query);
  expect(errors?.map((error) => error.message)).toContain(message);
});

test('what is right gets no hint, and is run', async () => {
  const query = debtors(
    ', first: 1, orderBy: [{ field: NAME, direction: DESC }]',
    'nodes { name } totals { count }',
  );
  expect((await gateway.query(query)).errors).toBeUndefined();
});
