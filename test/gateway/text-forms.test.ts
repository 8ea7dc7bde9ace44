import { useOnResolve } from '@envelop/on-resolve';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DemoData } from '../../src/demo/service.ts';
import { encodeGlobalId } from '../../src/schema/global-id.ts';
import { BOTH, freshGateway, type TestGateway, useGateway } from '../support/gateway.ts';
import { times } from '../support/times.ts';

const TEXTS = [
  'Noëlle',
  'Łódź',
  '漢字かな',
  '😀👩‍👩‍👧',
  'שלום עולם',
  'مرحبا',
  'é',
  // The bytes of the one before, each taken for a character.
  'Ã©',
  'e\u0301',
  '\u0080\u00ff',
  '\u2028"\\/\t',
  '\ufffd\ufeff',
  'plain',
];

const COMPANY = '101';
const THEN = '2025-06-30T10:00:00.000Z';
const ADMINISTRATIONS = ['Łódź', 'é', 'Ã©'] as const;

/** Everything that the service holds is made of such texts, ids and all. */
function createData(): DemoData {
  const debtors = ADMINISTRATIONS.flatMap((administration_id) =>
    TEXTS.map((text, index) => ({
      id: index % 2 === 0 ? text : `${index}${text}`.repeat(8),
      administration_id,
      debtor_number: `№${text}`,
      debtor_identifier: `${text}#`,
      name: `${text} ${administration_id}`,
      postal_address: { city: text, country_code: 'PL' },
      labels: [{ name: text }],
      updated_at: THEN,
    })),
  );
  return {
    companies: [{ id: COMPANY, name: 'Møller & Zonen 漢', status: 'active', trial: false }],
    administrations: ADMINISTRATIONS.map((id) => ({ id, name: `Books ${id}`, company_id: COMPANY })),
    debtors,
    tasks: debtors.map(({ id, administration_id, name }, index) => ({
      id: `T${index}${name}`,
      administration_id,
      debtor_id: id,
      subject: name,
      assigned_to_user: { id: name, name, email_address: 'é@example.org' },
      comments: [{ id: name, content: name, created_at: THEN }],
      created_at: THEN,
      updated_at: THEN,
    })),
    messages: [],
    declarationLines: [],
    deletedCreditCases: debtors.map(({ id, administration_id }, index) => ({
      id: `C${index}${id}`,
      administration_id,
      debtor_id: id,
      deleted_at: new Date().toISOString(),
    })),
    deletedPayments: [],
  };
}

/** Two gateways over one service: with a plugin, text is decoded; without, it stays as it travels. */
const wire = await useGateway({ rest: { data: createData() } });
const { rest } = wire;
const overSameService = { restUrl: new URL(rest.url) };
const decoded = await useGateway({ gateway: { ...overSameService, plugins: [{}] } });

/** What differs between any two responses. */
function withoutTimes(text: string): string {
  return text.replace(/"(requestId|milliseconds)":("[^"]+"|[\d.]+)/g, '"$1":0');
}

interface Seen {
  readonly status: number;
  readonly body: string;
  readonly calls: readonly string[];
}

async function seenBy(gateway: TestGateway, query: string, variables: object): Promise<Seen> {
  rest.calls.length = 0;
  const response = await gateway.post(JSON.stringify({ query, variables }), { ...BOTH, 'x-explain': 'true' });
  const bytes = Buffer.from(await response.arrayBuffer());
  const body = withoutTimes(bytes.toString('latin1'));
  return { status: response.status, body, calls: rest.calls.map(({ method, url }) => `${method} ${url}`) };
}

/** Runs an operation with text in both forms; the bytes of the responses and the REST calls must be the same. */
async function expectSame(query: string, variables: object = {}): Promise<string> {
  const [one, other] = [await seenBy(wire, query, variables), await seenBy(decoded, query, variables)];
  expect(other).toEqual(one);
  return Buffer.from(one.body, 'latin1').toString('utf8');
}

const FIELDS =
  'id internalId administrationId administration { id internalId } debtorNumber name labels { name } postalAddress { city }';

/** Documents with their variables. */
const OPERATIONS = {
  list: `query ($a: ID!, $first: Int, $after: String) {
    debtors(administrationId: $a, first: $first, after: $after) {
      edges { cursor node { ${FIELDS} } } pageInfo { startCursor endCursor hasNextPage }
    }
  }`,
  lookups: `query ($a: ID!, $id: ID!, $number: String!) {
    byId: debtor(administrationId: $a, by: { id: $id }) { ${FIELDS} }
    byNumber: debtor(administrationId: $a, by: { debtorNumber: $number }) { ${FIELDS} }
    some: debtors(administrationId: $a, ids: [$id, "none"], debtorNumbers: [$number]) { nodes { name } }
  }`,
  joins: `query ($a: ID!, $first: Int) {
    administration(id: $a) {
      id deletedCreditCases(first: $first) { edges { cursor node { id debtorId debtor { ${FIELDS} } } } }
    }
  }`,
  nodes: `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Debtor { name } } }`,
  viewer: `{ viewer { company { id name } administrations { id internalId name debtors(first: 1) { nodes { name } } } scopes } }`,
  task: `mutation ($id: ID!, $a: ID) {
    unmarkTaskCompleted(input: { taskId: $id, administrationId: $a }) {
      task { id subject debtor { name } assignedToUser { id name } comments { id content } }
    }
  }`,
  messages: `mutation ($a: ID!, $id: ID!) {
    updateMessages(input: { administrationId: $a, messages: [{ id: $id, read: true }] }) {
      success count errors { recordId messages }
    }
  }`,
  refused: `query ($a: ID!) { debtors(administrationId: $a, after: $a) { nodes { name } } }`,
} as const;

describe('both forms of text give the same bytes, and make the same calls', () => {
  const one = fc.constantFrom(...rest.data.debtors);
  const task = fc.constantFrom(...rest.data.tasks);
  const first = fc.integer({ min: 1, max: 20 });
  const operation = fc.oneof(
    fc
      .record({ debtor: one, first })
      .map(({ debtor: { administration_id: a }, ...rows }) => [OPERATIONS.list, { a, ...rows }] as const),
    one.map(
      ({ administration_id: a, id, debtor_number: number }) =>
        [OPERATIONS.lookups, { a, id, number }] as const,
    ),
    fc
      .record({ debtor: one, first })
      .map(({ debtor: { administration_id: a }, ...rows }) => [OPERATIONS.joins, { a, ...rows }] as const),
    fc.array(one, { minLength: 1, maxLength: 5 }).map((some) => {
      const ids = some.flatMap(({ administration_id: administration, id }) => [
        encodeGlobalId({ type: 'Debtor', administration, id }),
        encodeGlobalId({ type: 'Administration', administration, id: administration }),
      ]);
      return [OPERATIONS.nodes, { ids }] as const;
    }),
    task.map(({ id, administration_id: a }) => [OPERATIONS.task, { id, a }] as const),
    one.map(({ administration_id: a, id }) => [OPERATIONS.messages, { a, id }] as const),
    one.map(({ administration_id: a }) => [OPERATIONS.refused, { a }] as const),
    fc.constant([OPERATIONS.viewer, {}] as const),
  );

  test('for any operation', async () => {
    await fc.assert(
      fc.asyncProperty(operation, ([query, variables]) => expectSame(query, variables).then(() => {})),
      { numRuns: 40 },
    );
  });

  test('and these are the texts themselves', async () => {
    const list = JSON.parse(await expectSame(OPERATIONS.list, { a: 'é', first: 50 }));
    const names = list.data.debtors.edges.map(({ node }: { node: { name: string } }) => node.name);
    expect(names).toEqual(TEXTS.map((text) => `${text} é`));
    const joined = JSON.parse(await expectSame(OPERATIONS.joins, { a: 'Ã©', first: 50 }));
    const cases: { node: { debtor: { name: string } } }[] =
      joined.data.administration.deletedCreditCases.edges;
    expect(cases.map(({ node }) => node.debtor.name)).toEqual(TEXTS.map((text) => `${text} Ã©`));
  });

  test('so a cursor of one is a cursor of the other', async () => {
    const names: string[] = [];
    const variables = { a: 'Łódź', first: 2, after: null };
    for (let turn = 0; names.length < TEXTS.length; turn += 1) {
      const gateway = turn % 2 === 0 ? wire : decoded;
      const { text } = await gateway.query(OPERATIONS.list, variables);
      const { edges, pageInfo } = JSON.parse(text).data.debtors;
      names.push(...edges.map(({ node }: { node: { name: string } }) => node.name));
      variables.after = pageInfo.endCursor;
    }
    expect(names).toEqual(TEXTS.map((text) => `${text} Łódź`));
  });
});

describe('both forms of text read bodies alike', () => {
  const LIST = `query ($first: Int) {
    debtors(administrationId: "é", first: $first) { edges { cursor node { id internalId name } } }
  }`;
  const JOIN = '{ deletedCreditCases(administrationId: "é") { nodes { id debtorId debtor { id name } } } }';
  const LONG = 'ü';
  const bodies: [what: string, rows: string | Buffer][] = [
    ['escapes', '{"id":"\\u00e9\\u0142","name":"No\\u00eblle \\ud83d\\ude00"}'],
    ['needless escapes', '{"\\u0069d":"\\u0031","name":"\\u0022\\/\\u2028"}'],
    ['escapes beside characters', '{"id":"é\\u00e9","name":"漢\\u6f22"}'],
    ['half a surrogate pair in a value', '{"id":"1","name":"\\ud800é\\udc00 😀"}'],
    ['half a surrogate pair in an id', '{"id":"\\ud800é","name":"x"},{"id":"2","name":"y"}'],
    ['invalid UTF-8', Buffer.from('{"id":"\xe9","name":"caf\xe9 \xf0\x9f"}', 'latin1')],
    ['control characters', '{"id":"\\u0000\\u001f\\u007f","name":"\\u0085"}'],
    ['an id of 1,000 bytes', `{"id":"${LONG.repeat(500)}","name":"x"}`],
    ['an id of 1,002 bytes', `{"id":"${LONG.repeat(501)}","name":"x"}`],
    ['an id of 1,002 bytes that is escaped', `{"id":"${'\\u20ac'.repeat(334)}","name":"x"}`],
    ['an id that is too long for a URL', `{"id":"${LONG.repeat(200)}","name":"x"}`],
    ['keys beyond ASCII', '{"id":"1","name":"x","nämë":"y"}'],
  ];
  const page = (rows: string | Buffer, pagination = 'null') =>
    Buffer.concat([
      Buffer.from('{"data":['),
      Buffer.from(rows),
      Buffer.from(`],"pagination":${pagination}}`),
    ]);

  test.each(bodies)('%s, in a list', async (_what, rows) => {
    for (const pagination of ['null', '{"cursor":"\\u00e9ł"}']) {
      rest.misbehave({ kind: 'body', body: page(rows, pagination), times: 99 });
      await expectSame(LIST, { first: pagination === 'null' ? 2 : 1 });
      rest.behave();
    }
  });

  test.each(bodies)('%s, in a join', async (_what, rows) => {
    const cases = Buffer.from(rows)
      .toString('latin1')
      .replaceAll('"id"', '"debtor_id"')
      .replaceAll('"name"', '"id"');
    const match = { path: /deleted$/ };
    rest.misbehave({ kind: 'body', body: page(Buffer.from(cases, 'latin1')), match, times: 99 });
    rest.misbehave({ kind: 'body', body: page(rows), match: { path: '/v1/debtors' }, times: 99 });
    await expectSame(JOIN);
  });

  test('a batch with keys of any kind', async () => {
    const body =
      '{"success":true,"count":0,"errors":{"é":["ł","\\u00e9"],"\\ud83d\\ude00":"x","\\ud800":[]}}';
    rest.misbehave({ kind: 'body', body, times: 99 });
    const text = await expectSame(OPERATIONS.messages, { a: 'é', id: '1' });
    expect(text).toContain('{"recordId":"😀","messages":["x"]}');
  });

  test('a large one, and refuses one that is no UTF-8', async () => {
    const large = times(800, (index) => `{"id":"é${index}","name":"${'Łódź'.repeat(80)}"}`).join(',');
    rest.misbehave({ kind: 'body', body: page(large), times: 99 });
    expect(await expectSame(LIST, { first: 3 })).toContain('Łódź');
    rest.behave();
    rest.misbehave({ kind: 'body', body: page(`${large},{"id":"z","name":"\\u00eb"}`), times: 99 });
    expect(await expectSame(LIST, { first: 3 })).toContain('Łódź');
    rest.behave();
    rest.misbehave({ kind: 'body', body: page(Buffer.from(large, 'latin1')), times: 99 });
    expect(await expectSame(LIST, { first: 3 })).toContain('UPSTREAM_INVALID_RESPONSE');
  });
});

describe('caches', () => {
  const caching = { ...overSameService, cacheTtlMs: 60_000 };

  test.each([
    ['as it travels', []],
    ['decoded', [{}]],
  ])('find what they hold by any text, which is %s', async (_form, plugins) => {
    const gateway = await freshGateway({ gateway: { ...caching, plugins } });
    const callsOf = async (query: string, variables: object) =>
      (await seenBy(gateway, query, variables)).calls.length;
    await callsOf(OPERATIONS.list, { a: 'é', first: 50 });
    for (const { id, debtor_number: number } of rest.data.debtors.slice(TEXTS.length, 2 * TEXTS.length)) {
      const variables = { a: 'é', id, number };
      const lookUp = `query ($a: ID!, $id: ID!) { debtor(administrationId: $a, by: { id: $id }) { name } }`;
      expect(await callsOf(lookUp, { a: 'é', id })).toBe(0);
      expect(await callsOf(OPERATIONS.lookups, variables)).toBeGreaterThan(0);
      expect(await callsOf(OPERATIONS.lookups, variables)).toBe(0);
    }
    expect(await callsOf(OPERATIONS.list, { a: 'é', first: 3 })).toBe(0);
  });
});

describe('a limit in bytes', () => {
  const MUTATION = `mutation { ${['a', 'b'].map((key) => `${key}: introspectToken(input: { token: "x" }) { clientId }`).join(' ')} }`;

  test.each([200, 230, 260, 290, 320])('of %i takes the same from a mutation', async (maxAnswerBytes) => {
    const limited = { ...overSameService, maxAnswerBytes };
    const [one, other] = [
      await freshGateway({ gateway: limited }),
      await freshGateway({ gateway: { ...limited, plugins: [{}] } }),
    ];
    const introspection = { active: true, client_id: 'Łódź'.repeat(15) };
    rest.misbehave({ kind: 'body', body: JSON.stringify(introspection), times: 4 });
    const [seen, seenToo] = [await seenBy(one, MUTATION, {}), await seenBy(other, MUTATION, {})];
    expect(JSON.parse(seenToo.body).data).toEqual(JSON.parse(seen.body).data);
  });
});

describe('a plugin', () => {
  const results: unknown[] = [];
  beforeEach(() => results.splice(0));

  test('is given ordinary strings by every resolver', async () => {
    const gateway = await freshGateway({
      gateway: {
        ...overSameService,
        plugins: [
          useOnResolve(({ root }) => {
            results.push(root);
            return ({ result }) => void results.push(result);
          }),
        ],
      },
    });
    await gateway.query(OPERATIONS.joins, { a: 'é', first: 50 });
    await gateway.query(OPERATIONS.viewer, {}, BOTH);
    const strings = new Set<string>();
    JSON.stringify(results, (_key, value) => {
      if (typeof value === 'string') strings.add(value);
      return value;
    });
    for (const text of TEXTS) expect(strings).toContain(`${text} é`);
    expect(strings).toContain('Books Łódź');
    expect(strings).not.toContain(Buffer.from('Books Łódź').toString('latin1'));
  });
});
