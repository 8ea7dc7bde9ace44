import fc from 'fast-check';
import {
  type ExecutionResult,
  execute as executeByGraphqlJs,
  type GraphQLNamedType,
  getIntrospectionQuery,
  getNamedType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnswerLimits, AnswerSize } from '../../src/execution/answer-size.ts';
import { execute } from '../../src/execution/execute.ts';
import { planOperation } from '../../src/execution/operation.ts';
import { textOrder } from '../../src/lists/text.ts';
import { createRestCache } from '../../src/rest/cache/rest-cache.ts';
import { createRestClient, type RestClient } from '../../src/rest/client/client.ts';
import { isObject } from '../../src/rest/json.ts';
import { RestSession } from '../../src/rest/session.ts';
import type { Context } from '../../src/schema/fields/builder.ts';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { schema } from '../../src/schema/index.ts';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { casesOf } from '../support/search.ts';
import { makeReferenceStrict } from './strict-reference.ts';

let rest: DemoService;
let client: RestClient;
/** Without a time to live it keeps nothing; to make one for each operation takes longer than the operation. */
const cache = createRestCache(0);

beforeAll(async () => {
  makeReferenceStrict();
  rest = await startDemoService();
  client = createRestClient({ url: new URL(rest.url), timeoutMs: 5000 });
});

afterAll(async () => {
  await client.close();
  await rest.close();
});

function context(): Context {
  const session = new RestSession({
    client,
    cache,
    credentials: { bearer: BEARER.authorization },
    owner: 'test',
    parameterNames: {},
    maxCalls: 50,
  });
  return {
    rest: session,
    maxFirst: 1000,
    textOrder: textOrder('nl'),
    changes: () => Promise.reject(new Error('no changes')),
  };
}

const unlimited = () => new AnswerSize({ maxValues: 1e6, maxBytes: 1e9 });

/** The answers of our execution and of GraphQL's reference, with what each error is about but not its words. */
async function bothAnswers(source: string, variableValues: Record<string, unknown> = {}) {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const args = { schema, document, variableValues };
  const planned = planOperation(args);
  const [ours, theirs] = [
    await execute(planned, context(), unlimited()),
    await executeByGraphqlJs({ ...args, contextValue: context() }),
  ];
  return { ours: comparable(ours), theirs: comparable(theirs) };
}

function comparable({ data, errors = [] }: ExecutionResult) {
  const places = errors.map(({ path, locations }) => JSON.stringify({ path, locations }));
  return { data: JSON.parse(JSON.stringify(data)), places: places.sort() };
}

/** Selections of any depth up to three, with aliases, fragments and conditions. */
function selectionsOn(type: GraphQLNamedType, depth: number): fc.Arbitrary<string> {
  if (!isObjectType(type)) return fc.constant('');
  const fields = Object.values(type.getFields()).filter(
    (field) => field.args.length === 0 && (depth > 0 || !isObjectType(getNamedType(field.type))),
  );
  const field = fc.constantFrom(...fields).chain((chosen) =>
    fc
      .record({
        alias: fc.constantFrom('', '', 'a: ', 'b: '),
        condition: fc.constantFrom('', '', ' @include(if: $yes)', ' @skip(if: $yes)', ' @include(if: false)'),
        inside: selectionsOn(getNamedType(chosen.type), depth - 1),
      })
      .map(({ alias, condition, inside }) => {
        // An alias of its own for each field and depth keeps the document valid.
        const key = alias === '' ? '' : `${alias.slice(0, 1)}_${chosen.name}: `;
        return `${key}${chosen.name}${condition}${inside === '' ? '' : ` { ${inside} }`}`;
      }),
  );
  const wrapped = fc.tuple(field, fc.constantFrom('plain', 'inline', 'typed')).map(([text, wrapping]) => {
    if (wrapping === 'inline') return `... { ${text} }`;
    return wrapping === 'typed' ? `... on ${type.name} { ${text} }` : text;
  });
  return fc.array(wrapped, { minLength: 1, maxLength: 6 }).map((texts) => `__typename ${texts.join(' ')}`);
}

const debtors = schema.getType('DebtorConnection');
const cases = schema.getType('DeletedCreditCaseConnection');

/** So many that the first rows are read field by field, and the last by the code that is made on the way. */
const ROWS = 30;

describe('execution', () => {
  test('answers as the reference does, whatever is selected', async () => {
    if (!debtors || !cases) throw new Error('the schema lacks its connections');
    const selections = fc.tuple(selectionsOn(debtors, 3), selectionsOn(cases, 3), fc.boolean());
    await fc.assert(
      fc.asyncProperty(selections, async ([onDebtors, onCases, yes]) => {
        const { ours, theirs } = await bothAnswers(
          `query($yes: Boolean!) {
            debtors(administrationId: "${ADMINISTRATION}", first: ${ROWS}) { ${onDebtors} }
            deletedCreditCases(administrationId: "${ADMINISTRATION}", first: ${ROWS}) { ${onCases} }
            unused: __typename @include(if: $yes)
          }`,
          { yes },
        );
        expect(ours).toEqual(theirs);
      }),
      { numRuns: casesOf({ short: 12, long: 1_000 }) },
    );
  });

  test('ends an error where the reference ends it, whatever value the service sends', async () => {
    // Of an object that is none, the reference goes on to read members; we do not, so such values are left out.
    const objects = [null, {}, { city: null }, { city: 7 }];
    const others = [null, 'text', 7, 7.5, true, [], {}, [null], [{ name: null }]];
    const scalars = ['name', 'updated_at', 'labels', 'payment_behaviour', 'book_open_amount'];
    const broken = fc.oneof(
      fc.record({
        row: fc.nat(ROWS - 1),
        field: fc.constant('postal_address'),
        value: fc.constantFrom(...objects),
      }),
      fc.record({
        row: fc.nat(ROWS - 1),
        field: fc.constantFrom(...scalars),
        value: fc.constantFrom(...others),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(broken, { maxLength: 60, size: 'max' }), async (faults) => {
        rest.behave();
        rest.misbehave({
          kind: 'rewrite',
          times: Number.POSITIVE_INFINITY,
          rewrite: (body) => spoil(body, faults),
        });
        const { ours, theirs } = await bothAnswers(`{
          debtors(administrationId: "${ADMINISTRATION}", first: ${ROWS}) {
            nodes { name updatedAt paymentBehaviour bookOpenAmount labels { name } postalAddress { city region } }
            edges { node { labels { name } internalId } }
          }
        }`);
        expect(ours).toEqual(theirs);
      }),
      { numRuns: casesOf({ short: 12, long: 1_000 }) },
    );
    rest.behave();
  });

  test('answers introspection as the reference does', async () => {
    const { ours, theirs } = await bothAnswers(getIntrospectionQuery({ oneOf: true }));
    expect(ours).toEqual(theirs);
    expect(ours.places).toEqual([]);
  });

  test('tells records of one interface apart, beside those that fail', async () => {
    const [debtor] = rest.data.debtors;
    const gid = (type: string, id: string) => encodeGlobalId({ type, administration: ADMINISTRATION, id });
    const ids = [
      gid('Debtor', debtor?.id ?? ''),
      'nonsense',
      gid('Administration', ADMINISTRATION),
      gid('Debtor', '0'),
    ];
    const { ours, theirs } = await bothAnswers(
      'query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Debtor { name } ... on Administration { books: name } } }',
      { ids },
    );
    expect(ours).toEqual(theirs);
    expect(ours.data.nodes).toMatchObject([
      { __typename: 'Debtor' },
      null,
      { __typename: 'Administration' },
      null,
    ]);
  });
});

function spoil(body: unknown, faults: readonly { row: number; field: string; value: unknown }[]): unknown {
  const data = isObject(body) && Array.isArray(body.data) ? body.data : [];
  for (const { row, field, value } of faults) Object.assign(data[row], { [field]: value });
  return body;
}

test('makes no more errors than an answer shows, and says how many more there are', async () => {
  const document = parse(`{ nodes(ids: [${'"x" '.repeat(600)}]) { id } }`);
  const { data, errors = [] } = await execute(planOperation({ schema, document }), context(), unlimited());
  expect(errors).toHaveLength(501);
  expect(new Set(errors.slice(0, 500).map(({ originalError }) => originalError)).size).toBe(1);
  expect(errors.at(-1)).toMatchObject({
    message: '100 more errors of this answer, which explain other nulls, are left out.',
    extensions: { code: 'MORE_ERRORS' },
  });
  expect(data?.nodes).toEqual(Array.from({ length: 600 }, () => null));
});

describe('an answer that is too large ends where it is written out', () => {
  const source = `{ debtors(administrationId: "${ADMINISTRATION}", first: 100) { nodes { a: name b: name } } }`;
  const sized = (limits: AnswerLimits) =>
    execute(planOperation({ schema, document: parse(source) }), context(), new AnswerSize(limits));

  test.each([
    ['values', { maxValues: 250, maxBytes: 1e6 }, 'more than 250 values. Ask for fewer rows'],
    ['text', { maxValues: 1e6, maxBytes: 2_000 }, 'longer than 2000 bytes. Ask for fewer rows'],
  ])('for its %s', async (_what, limits, message) => {
    const { errors, data } = await sized(limits);
    expect(data).toBeUndefined();
    expect(errors?.map((error) => [error.message, Object(error.originalError).code])).toEqual([
      [expect.stringContaining(message), 'OPERATION_TOO_EXPENSIVE'],
    ]);
  });

  test('but not before', async () => {
    // The list, its 100 items, and two values in each of them.
    expect(await sized({ maxValues: 302, maxBytes: 1e6 })).not.toHaveProperty('errors');
    expect(await sized({ maxValues: 301, maxBytes: 1e6 })).toHaveProperty('errors');
  });
});
