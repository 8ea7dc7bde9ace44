import {
  type ExecutionResult,
  execute as executeByGraphqlJs,
  getIntrospectionQuery,
  getNamedType,
  parse,
  validate,
} from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AnswerLimits, AnswerSize } from '../../src/execution/answer-size.ts';
import { execute } from '../../src/execution/execute.ts';
import { planCache, planOperation } from '../../src/execution/operation.ts';
import { textOrder } from '../../src/lists/text.ts';
import { createRestCache } from '../../src/rest/cache/rest-cache.ts';
import { createRestClient, type RestClient } from '../../src/rest/client/client.ts';
import { isObject } from '../../src/rest/json.ts';
import { RestSession } from '../../src/rest/session.ts';
import type { Context } from '../../src/schema/fields/builder.ts';
import { OperationLoaders } from '../../src/schema/fields/loaders.ts';
import { schema } from '../../src/schema/index.ts';
import { ADMINISTRATION, BEARER } from '../support/gateway.ts';
import { type DemoService, startDemoService } from '../support/rest-service.mjs';
import { casesOf, SEED } from '../support/search.ts';
import { Random } from './random.ts';
import { randomDocument } from './random-selection.ts';

let rest: DemoService;
let client: RestClient;
/** Without a time to live it keeps nothing; to make one for each operation takes longer than the operation. */
const cache = createRestCache(0);

beforeAll(async () => {
  rest = await startDemoService();
  client = createRestClient({ url: new URL(rest.url), timeoutMs: 5000 });
});

afterEach(() => rest.behave());

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
    loaders: new OperationLoaders(session),
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

/** So many that the first rows are read field by field, and the last by the code that is made on the way. */
const ROWS = 30;
const LISTS = ['debtors', 'declarationLines', 'deletedCreditCases'] as const;

describe('execution', () => {
  test('answers as the reference does, whatever is selected, and whatever the service sends', async () => {
    const random = new Random(SEED);
    for (let left = casesOf({ short: 20, long: 1_000 }); left > 0; ) {
      const list = random.pick(LISTS);
      const type = getNamedType(schema.getQueryType()?.getFields()[list]?.type);
      if (type === undefined) throw new Error(`there are no ${list}`);
      const field = `${list}(administrationId: "${ADMINISTRATION}", first: ${ROWS})`;
      const document = randomDocument(random, schema, [type, (selection) => `{ ${field} ${selection} }`]);
      if (validate(schema, parse(document)).length > 0) continue;
      left -= 1;
      rest.behave();
      // Totals of broken rows have an error beside them, which only our execution can tell.
      if (random.chance(50) && !document.includes('totals')) breakRows(random);
      const { ours, theirs } = await bothAnswers(document, { yes: random.chance(50) });
      expect(ours, document).toEqual(theirs);
    }
  });

  test('answers introspection as the reference does', async () => {
    const { ours, theirs } = await bothAnswers(getIntrospectionQuery({ oneOf: true }));
    expect(ours).toEqual(theirs);
    expect(ours.places).toEqual([]);
  });
});

/** What is sent in place of members. Of an object that is none the reference goes on to read members, and we do not. */
const BROKEN = {
  ...Object.fromEntries(
    ['name', 'updated_at', 'labels', 'payment_behaviour', 'book_open_amount', 'amount', 'debtor_id'].map(
      (name) => [name, [null, 'text', 7, 7.5, true, [], {}, [null], [{ name: null }]]],
    ),
  ),
  postal_address: [null, {}, { city: null }, { city: 7 }],
};

function breakRows(random: Random): void {
  const faults = Array.from({ length: random.below(60) }, () => {
    const [name, values] = random.pick(Object.entries(BROKEN));
    return { row: random.below(ROWS), member: { [name]: values[random.below(values.length)] } };
  });
  const rewrite = (body: unknown) => {
    const rows = isObject(body) && Array.isArray(body.data) ? body.data : [];
    for (const { row, member } of faults) if (rows[row]) Object.assign(rows[row], member);
    return body;
  };
  rest.misbehave({ kind: 'rewrite', times: Number.POSITIVE_INFINITY, rewrite });
}

describe('an answer that is too large ends where it is written out', () => {
  const source = `{ debtors(administrationId: "${ADMINISTRATION}", first: 100) { nodes { a: name b: name } } }`;
  const sized = (limits: AnswerLimits) =>
    execute(planOperation({ schema, document: parse(source) }), context(), new AnswerSize(limits));

  // The list, its 100 items, and two values in each of them.
  test.each([
    ['values', { maxValues: 301, maxBytes: 1e6 }, 'more than 301 values. Ask for fewer rows'],
    ['text', { maxValues: 302, maxBytes: 2_000 }, 'longer than 2000 bytes. Ask for fewer rows'],
  ])('for its %s', async (_what, limits, message) => {
    const { errors, data } = await sized(limits);
    expect(data).toBeUndefined();
    expect(errors?.map((error) => [error.message, Object(error.originalError).code])).toEqual([
      [expect.stringContaining(message), 'OPERATION_TOO_EXPENSIVE'],
    ]);
  });

  test('but not before', async () => {
    expect(await sized({ maxValues: 302, maxBytes: 1e6 })).not.toHaveProperty('errors');
  });
});

test('plans are kept by their bytes, with the text of their document', () => {
  const long = (index: number) => parse(`query Q${index} { __typename } # ${'x'.repeat(60_000)}`);
  for (let index = 0; index < 200; index += 1) planOperation({ schema, document: long(index) });
  expect(planCache.calculatedSize).toBeLessThanOrEqual(16_000_000);
  expect(planCache.size).toBeGreaterThan(100);
  expect(planCache.size).toBeLessThan(16_000_000 / 120_000);
});
