import fc from 'fast-check';
import { request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { isObject, parseJson } from '../../../src/rest/json.ts';
import { BEARER, useGateway } from '../../support/gateway.ts';
import { casesOf } from '../../support/search.ts';

const logged: string[] = [];
const gateway = await useGateway({ gateway: { log: (...line) => logged.push(JSON.stringify(line)) } });
const RUNS = { numRuns: casesOf({ short: 30, long: 5_000 }) };

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Unlike fetch, undici sends whatever headers it is given. */
async function send(headers: Record<string, string>, body: string): Promise<Reply> {
  const response = await request(gateway.url, { method: 'POST', headers, body });
  return { status: response.statusCode, text: await response.body.text() };
}

/** Expects JSON, in which each error has a code and a request's id, and nothing internal. */
function expectSane({ status, text }: Reply): void {
  expect({ status, text }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 500) });
  expect(text).not.toMatch(/\.(js|ts):\d|node_modules|node:internal|\n\s+at |INTERNAL_SERVER_ERROR/);
  const answer = parseJson(text);
  // An array of operations is answered by an array.
  for (const result of Array.isArray(answer) ? answer : [answer]) expectSaneResult(result, { status, text });
}

function expectSaneResult(answer: unknown, { status, text }: Reply): void {
  if (!isObject(answer)) throw new TypeError(`${status} without a JSON object: ${text.slice(0, 200)}`);
  const { errors = [] } = answer;
  expect(errors).toEqual(
    Array.isArray(errors)
      ? errors.map(() =>
          expect.objectContaining({
            message: expect.any(String),
            extensions: expect.objectContaining({ code: expect.any(String), requestId: expect.any(String) }),
          }),
        )
      : [],
  );
}

const JSON_TYPE = { 'content-type': 'application/json', ...BEARER };

/** `unit: 'binary'` maps each of them to its number before the first string, which takes longer than a search. */
const anyCharacter = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point));

test('a request with any body gets a valid response', async () => {
  const member = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('{ __typename }', 'query a { __typename }', 'a', ''),
  );
  const operation = fc.record(
    { query: member, variables: member, operationName: member, extensions: member, id: member },
    { requiredKeys: ['query'] },
  );
  const bodies = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.json(),
    fc.json().map((text) => text.slice(1)),
    { weight: 3, arbitrary: operation.map((value) => JSON.stringify(value)) },
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => expectSane(await send(JSON_TYPE, body))),
    { numRuns: 2 * RUNS.numRuns },
  );
});

/** Values that a header may hold on the wire, and many that confuse. */
const CONFUSING = ['', '*/*', 'Bearer', 'Basic', 'Bearer  x', 'Basic x', 'application/json;q=', '\u00e9'];
const headerText = fc.oneof(
  fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{0,40}$/).map((text) => text.trim()),
  fc.constantFrom(...CONFUSING, 'x'.repeat(4000)),
);
const HEADERS =
  'accept accept-encoding authorization content-type cookie host if-none-match origin range referer user-agent ' +
  'x-client-authorization x-explain x-forwarded-host x-forwarded-proto x-http-method-override x-request-id';

test('a request with any headers gets a valid response', async () => {
  const body = JSON.stringify({
    query: '{ __typename debtors(administrationId: "1001", first: 1) { nodes { name } } }',
  });
  const headers = fc.dictionary(fc.constantFrom(...HEADERS.split(' ')), headerText, { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(headers, async (given) =>
      expectSane(await send({ 'content-type': 'application/json', ...given }, body)),
    ),
    RUNS,
  );
});

describe('a random document', () => {
  beforeAll(() => {
    logged.length = 0;
  });

  test('with random arguments and variables gets a valid response', async () => {
    const literal = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(
          ...'null true 0 -1 1e400 99999999999 "" "WyJ4Il0" DRAFT $v "\\u0000" "a,b"'.split(' '),
        ),
        fc.string({ maxLength: 12 }).map((text) => JSON.stringify(text)),
        fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' ')}]`),
        tie('value').map((inside) => `{ id: ${inside} }`),
      ),
    })).value;
    const field = fc.constantFrom(
      (a: string, b: string) => `debtors(administrationId: ${a}, ids: ${b}, first: 2) { nodes { name } }`,
      (a: string, b: string) =>
        `debtors(administrationId: "1001", first: ${a}, after: ${b}) { pageInfo { endCursor } }`,
      (a: string, b: string) => `debtor(administrationId: ${a}, by: ${b}) { name }`,
      (a: string, b: string) =>
        `declarationLines(administrationId: "1001", claimStatus: ${a}, updatedAfter: ${b}) { nodes { id } }`,
      (a: string, b: string) => `node(id: ${a}) { id } nodes(ids: ${b}) { id }`,
      (a: string, b: string) => `administration(id: ${a}) { debtor(by: { id: ${b} }) { name } }`,
    );
    await fc.assert(
      fc.asyncProperty(field, literal, literal, fc.jsonValue(), async (make, a, b, v) => {
        const fields = make(a, b);
        const types = fields.includes('$v') ? ['ID', 'String', 'Int', '[ID!]', 'DateTime', 'DebtorBy'] : [];
        const operations = [...types.map((type) => `query ($v: ${type})`), ''].slice(0, types.length || 1);
        for (const operation of operations) {
          const body = JSON.stringify({ query: `${operation} { ${fields} }`, variables: { v } });
          expectSane(await send(JSON_TYPE, body));
        }
      }),
      RUNS,
    );
  });

  test('causes no unexpected error in the log', () => {
    expect(logged).toEqual([]);
  });
});
