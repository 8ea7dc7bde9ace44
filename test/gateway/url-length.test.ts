import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeCursor } from '../../src/schema/fields/cursor.ts';
import { encodeGlobalId } from '../../src/schema/fields/global-id.ts';
import { codesOf } from '../support/answers.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, type Answer, BOTH, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { debtorsOf } from '../support/rest-records.ts';
import { casesOf } from '../support/search.ts';
import { expectRefused } from './support.ts';

const gateway = await useGateway();

const LONG = 'x'.repeat(1001);
/** Short as it is, and nine times as long encoded. */
const WIDE = '€'.repeat(112);
/** Too many for one URL, so that the list is read in parts. */
const MANY = Array.from({ length: 300 }, (_, index) => `${index}${'x'.repeat(40)}`);
const globalId = (type: string, administration: string, id: string) =>
  encodeGlobalId({ type, administration, id });

const LIST = `
  query (
    $administration: ID!, $ids: [ID!], $numbers: [String!], $identifiers: [String!], $after: String,
    $moment: DateTime
  ) {
    debtors(
      administrationId: $administration, ids: $ids, debtorNumbers: $numbers, debtorIdentifiers: $identifiers,
      after: $after, updatedAfter: $moment
    ) { nodes { name remark labels { name } postalAddress { city street1 } } }
  }`;
const LINES = `
  query ($administration: ID!, $ids: [ID!], $numbers: [String!], $identifiers: [String!], $after: String, $moment: DateTime) {
    declarationLines(
      administrationId: $administration, ids: $ids, orderLineIdentifiers: $numbers, invoiceIdentifiers: $identifiers,
      after: $after, createdAfter: $moment
    ) { nodes { amount customer { emailAddress } } }
  }`;
const PAYMENTS = `
  query ($administration: ID!, $after: String, $moment: DateTime) {
    deletedPayments(administrationId: $administration, after: $after, deletedBefore: $moment) { nodes { internalId } }
  }`;
const COMPANIES = 'query ($after: String) { companies(after: $after) { nodes { name } } }';
const DEBTOR = `
  query ($administration: ID!, $by: DebtorBy!) {
    administration(id: $administration) { debtor(by: $by) { name remark } }
  }`;
const NODE = 'query ($id: ID!) { node(id: $id) { id } }';
const UNMARK = `
  mutation ($id: ID!, $administration: ID) {
    unmarkTaskCompleted(input: { taskId: $id, administrationId: $administration }) { task { subject } }
  }`;

describe('a value that is too long for a URL', () => {
  const cursor = (text: string) => encodeCursor({ part: null, cursor: text });
  const administration = ADMINISTRATION;

  test.each([
    ['administrationId', LIST, { administration: LONG }],
    ['administrationId', LIST, { administration: globalId('Administration', LONG, LONG) }],
    ['administrationId', DEBTOR, { administration: LONG, by: { id: '1' } }],
    ['administrationId', NODE, { id: globalId('Debtor', LONG, '1') }],
    ['after', LIST, { administration, after: cursor(LONG) }],
    ['after', PAYMENTS, { administration, after: cursor(LONG) }],
    ['after', COMPANIES, { after: cursor(LONG) }],
    ['after', LIST, { administration, after: cursor(WIDE) }],
    ['after', LIST, { administration, after: encodeCursor({ part: 0, cursor: LONG }), numbers: MANY }],
    ['ids', LIST, { administration, ids: ['1', LONG] }],
    ['ids', NODE, { id: globalId('Debtor', administration, LONG) }],
    ['ids', DEBTOR, { administration, by: { id: LONG } }],
    ['debtorNumbers', DEBTOR, { administration, by: { debtorNumber: LONG } }],
    ['debtorIdentifiers', DEBTOR, { administration, by: { debtorIdentifier: LONG } }],
    ['invoiceIdentifiers', LINES, { administration, identifiers: [LONG] }],
    ['taskId', UNMARK, { id: LONG }],
    ['taskId', UNMARK, { id: globalId('Task', administration, LONG) }],
  ])('of `%s` is refused by name before a call', async (argument, document, variables) => {
    const answer = await gateway.query(document, variables, BOTH);
    expectRefused(gateway, answer);
    expect(answer.errors?.[0]?.message).toContain(`\`${argument}\``);
    expect(answer.errors?.[0]?.message).toContain('too long');
  });

  test('is refused too where only all values together are', async () => {
    const value = 'x'.repeat(1000);
    const answer = await gateway.query(LIST, {
      administration: value,
      after: cursor(value),
      numbers: [value],
      identifiers: [value],
    });
    expectRefused(gateway, answer);
  });

  test('fails alone among lookups', async () => {
    const [one, two] = debtorsOf(gateway, administration);
    const ids = [present(one).id, LONG, present(two).id].map((id) => globalId('Debtor', administration, id));
    ids.push(globalId('Debtor', LONG, present(one).id));
    const answer = await gateway.query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(answer.data).toEqual({ nodes: [{ id: ids[0] }, null, { id: ids[2] }, null] });
    expect(answer.errors).toMatchObject([
      { path: ['nodes', 1], extensions: { code: 'BAD_USER_INPUT' } },
      { path: ['nodes', 3], extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(gateway.calls()).toHaveLength(1);
  });

  test('is not one at its limit', async () => {
    const { errors } = await gateway.query(LIST, { administration, after: cursor('x'.repeat(1000)) });
    expect(gateway.rest.calls).toHaveLength(1);
    expect(errors?.map(({ extensions }) => extensions.upstream)).not.toContainEqual(undefined);
  });
});

test('a cursor of the service that is too long for a URL is not followed', async () => {
  gateway.rest.misbehave({
    kind: 'body',
    body: JSON.stringify({
      data: [{ id: '1', administration_id: ADMINISTRATION }],
      pagination: { cursor: LONG },
    }),
  });
  const answer = await gateway.query(
    `{ debtors(administrationId: "${ADMINISTRATION}") { nodes { internalId } } }`,
  );
  expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
  expect(gateway.rest.calls).toHaveLength(1);
});

/** Of any length up to what no URL holds, often near what one value may have, and of characters of any width. */
const text = fc
  .record({
    character: fc.constantFrom('x', 'x', 'x', 'é', '€', '%', ' ', '/', ',', '😀'),
    bytes: fc.oneof(fc.nat({ max: 100 }), fc.integer({ min: 900, max: 1010 }), fc.nat({ max: 9000 })),
    digit: fc.nat({ max: 9 }),
  })
  .map(({ character, bytes, digit }) => {
    const width = encodeURIComponent(character).length;
    return `${digit}${character.repeat(Math.floor(bytes / width))}`;
  });
const id = fc.oneof(fc.constantFrom('1', '300001'), text);
const manyShort = fc
  .tuple(fc.nat({ max: 2000 }), fc.nat({ max: 40 }))
  .map(([count, size]) => Array.from({ length: count + 1 }, (_, index) => `${index}${'x'.repeat(size)}`));
const list = fc.option(fc.oneof(fc.array(id, { minLength: 1, maxLength: 3 }), manyShort), { nil: undefined });
const administration = fc.oneof(
  fc.constant(ADMINISTRATION),
  text,
  text.map((value) => globalId('Administration', value, value)),
);
const after = fc.option(
  fc.tuple(fc.option(fc.nat({ max: 5 })), text).map(([part, cursor]) => encodeCursor({ part, cursor })),
  { nil: undefined },
);
const moment = fc.option(
  fc
    .oneof(fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.nat({ max: 3000 }))
    .map((digits) => `2024-05-01T00:00:00${digits > 0 ? `.${'1'.repeat(digits)}` : ''}Z`),
  { nil: undefined },
);
const filters = fc.record({ administration, ids: list, numbers: list, identifiers: list, after, moment });

/** Of values that each may stand in a URL, though not always together. */
const sendable = fc.integer({ min: 1, max: 1000 }).map((length) => 'x'.repeat(length));
const sendableFilters = fc.record(
  {
    administration: fc.oneof(fc.constant(ADMINISTRATION), sendable),
    ids: fc.oneof(fc.array(sendable, { minLength: 1, maxLength: 4 }), manyShort),
    numbers: fc.array(sendable, { minLength: 1, maxLength: 2 }),
    after: fc
      .tuple(fc.constantFrom(null, 0, 1), sendable)
      .map(([part, cursor]) => encodeCursor({ part, cursor })),
  },
  { requiredKeys: ['administration'] },
);

const operation = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(LIST, LINES), filters) },
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(LIST, LINES), sendableFilters) },
  fc.tuple(fc.constant(PAYMENTS), fc.record({ administration, after, moment })),
  fc.tuple(fc.constant(COMPANIES), fc.record({ after })),
  fc.tuple(
    fc.constant(DEBTOR),
    fc.record({
      administration,
      by: fc.oneof(
        fc.record({ id }),
        fc.record({ debtorNumber: text }),
        fc.record({ debtorIdentifier: text }),
      ),
    }),
  ),
  fc.tuple(
    fc.constant(NODE),
    fc.record({
      id: fc
        .tuple(fc.constantFrom('Debtor', 'DeclarationLine'), text, text)
        .map((parts) => globalId(...parts)),
    }),
  ),
  fc.tuple(fc.constant(UNMARK), fc.record({ id, administration })),
);

/** Refused by the gateway itself, and not by the service. */
function isRefused({ errors = [] }: Answer<unknown>): boolean {
  return errors.some(
    ({ extensions: { code, upstream } }) => code === 'BAD_USER_INPUT' && upstream === undefined,
  );
}

test('whatever is asked for, a URL has at most 4,000 bytes or the caller is told, and nothing is sent', async () => {
  await fc.assert(
    fc.asyncProperty(operation, async ([document, variables]) => {
      gateway.rest.calls.length = 0;
      const answer = await gateway.query(document, variables, BOTH);
      for (const { url, status } of gateway.rest.calls) {
        expect(gateway.rest.url.length + url.length).toBeLessThanOrEqual(4000);
        expect(status).not.toBe(414);
      }
      // An operation may also come to need more calls than it may make, before or after the first.
      if (isRefused(answer) && gateway.rest.calls.length > 0) {
        // A call of an operation before may have arrived late: only what is sent each time belongs to this one.
        await eventually(async () => {
          gateway.rest.calls.length = 0;
          expect(isRefused(await gateway.query(document, variables, BOTH))).toBe(true);
          expect(gateway.rest.calls).toEqual([]);
        });
      } else if (!isRefused(answer) && !codesOf(answer).includes('OPERATION_TOO_EXPENSIVE')) {
        expect(gateway.rest.calls).not.toEqual([]);
      }
    }),
    // A case that fails takes seconds, so that shrinking it would end in a timeout that tells nothing.
    { numRuns: casesOf({ short: 60, long: 5_000 }), endOnFailure: true },
  );
});
