import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeGlobalId } from '../../src/schema/fields/node.ts';
import {
  ADMINISTRATION,
  BEARER,
  issueTokens,
  SMALL_ADMINISTRATION,
  type TestGateway,
  useGateway,
} from '../support/gateway.ts';
import { changeDebtor } from '../support/rest-records.ts';
import { casesOf } from '../support/search.ts';
import { withResolver } from '../support/with-resolver.ts';

/** One gateway uses its cache, the other does not; their services hold the same records. */
const cached = await useGateway({ gateway: { cacheTtlMs: 60_000 } });
const uncached = await useGateway();

const callers = [BEARER, ...(await issueTokens(cached.rest, 1))];
await issueTokens(uncached.rest, 1);

const debtors = cached.rest.data.debtors
  .filter(({ administration_id }) => administration_id === ADMINISTRATION)
  .slice(0, 2);

const caller = fc.constantFrom(...callers);
const one = fc.constantFrom(...debtors);
const selection = fc
  .uniqueArray(
    fc.constantFrom(
      'name',
      'name vatNumber',
      'remark',
      'labels { name }',
      'postalAddress { city }',
      'postalAddress { street1 }',
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((fields) => `internalId ${fields.join(' ')}`);

const lookup = fc
  .tuple(
    one.chain(({ id, debtor_number, debtor_identifier }) =>
      fc.constantFrom(
        `id: "${id}"`,
        `debtorNumber: "${debtor_number}"`,
        `debtorIdentifier: "${debtor_identifier}"`,
        'debtorNumber: "none"',
      ),
    ),
    selection,
  )
  .map(([by, fields]) => `debtor(administrationId: "${ADMINISTRATION}", by: { ${by} }) { ${fields} }`);

const filter = fc.oneof(
  fc.constant(''),
  fc
    .shuffledSubarray(debtors, { minLength: 1 })
    .map((some) => `, ids: ${JSON.stringify(some.map(({ id }) => id))}`),
);
const list = fc
  .tuple(fc.integer({ min: 1, max: 3 }), filter, selection)
  .map(
    ([first, ids, fields]) =>
      `debtors(administrationId: "${ADMINISTRATION}", first: ${first}${ids}) ` +
      `{ edges { cursor node { ${fields} } } pageInfo { hasNextPage endCursor } }`,
  );
const node = fc
  .tuple(fc.array(one, { minLength: 1, maxLength: 3 }), selection)
  .map(
    ([some, fields]) =>
      `nodes(ids: ${JSON.stringify(some.map(({ id }) => encodeGlobalId({ type: 'Debtor', administration: ADMINISTRATION, id })))}) ` +
      `{ ... on Debtor { ${fields} } }`,
  );
const join = selection.map(
  (fields) =>
    `deletedCreditCases(administrationId: "${SMALL_ADMINISTRATION}", first: 2) { nodes { debtor { ${fields} } } }`,
);

const query = fc
  .array(fc.oneof(lookup, lookup, list, list, node, join), { minLength: 1, maxLength: 3 })
  .map((fields) => `{ ${fields.map((field, index) => `f${index}: ${field}`).join(' ')} }`);

const write = fc.constantFrom(
  'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } } }',
  `mutation { updateMessages(input: { administrationId: "${ADMINISTRATION}", messages: [{ id: "500001", read: true }] }) { count } }`,
);

interface Step {
  readonly caller: { readonly authorization: string };
  readonly query: string;
  readonly isFresh: boolean;
  /** Starts before the write of this step, and is answered after it. */
  readonly underWay: string | null;
  readonly write: string | null;
  /** Which debtor the write goes with a change of. */
  readonly changed: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  caller,
  query,
  isFresh: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  underWay: fc.option(query),
  write: fc.option(write, { freq: 2 }),
  changed: fc.nat(1),
});

test('random reads and writes get the same results with the cache as without it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8, size: 'max' }), async (steps) => {
      for (const current of steps) {
        if (current.write !== null) await writeDuring(current, current.write);
        for (const text of current.underWay === null ? [current.query] : [current.query, current.underWay]) {
          const headers = current.isFresh
            ? { ...current.caller, 'cache-control': 'no-cache' }
            : current.caller;
          const [answer, expected] = await Promise.all([
            cached.query(text, {}, headers),
            uncached.query(text, {}, current.caller),
          ]);
          expect(answer.errors).toBeUndefined();
          expect(answer.data).toEqual(expected.data);
        }
      }
    }),
    { numRuns: casesOf({ short: 3, long: 200 }) },
  );
});

let lastName = 0;

/** Changes the records of both services, and lets every caller of the cached one write, with a read under way. */
async function writeDuring({ caller: reader, underWay, changed }: Step, text: string): Promise<void> {
  const early = underWay === null ? undefined : await start(cached, underWay, reader);
  lastName += 1;
  for (const gateway of [cached, uncached])
    changeDebtor(gateway.rest, ADMINISTRATION, { name: `Name ${lastName}` }, changed);
  await Promise.all(callers.map((headers) => cached.query(text, {}, headers)));
  early?.resolve();
  await early?.answer;
}

/** Sends a query; the service holds back the finished response to its first call. */
async function start({ rest, query: ask }: TestGateway, text: string, headers: Step['caller']) {
  const before = rest.calls.length;
  const { promise: until, resolve } = withResolver();
  rest.misbehave({ kind: 'stale', until, match: { method: 'GET' } });
  const answer = ask(text, {}, headers);
  let isDone = false;
  answer.finally(() => {
    isDone = true;
  });
  await expect.poll(() => isDone || rest.calls.length > before, { interval: 1 }).toBe(true);
  rest.behave();
  return { answer, resolve };
}
