import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Random } from './execution/random.ts';
import { LONG_REQUESTS } from './support/long-requests.ts';
import { describeWith, LOOPBACK_ADDRESSES, testWith } from './support/requirements.ts';
import { casesOf, SEED } from './support/search.ts';
import { times } from './support/times.ts';
import { type BriefResponse, responseTo, startWatchedGateway } from './support/watched-gateway.ts';
import { searchWorst } from './support/worst-request.ts';

// No one caller, with one credential and one address, ends the process, holds its event loop for long or locks others
// out. Each of these runs while another caller is served, and /health is asked: in a process of its own, since it is
// about its heap and its event loop.

const gateway = await startWatchedGateway();
const describeHere = describeWith(LOOPBACK_ADDRESSES);

/** Keeps as many cases in `npm test`; `npm run test:long` runs all of them. */
const someOf = <Case>(short: number, cases: readonly Case[]) =>
  cases.slice(0, casesOf({ short, long: cases.length }));

/** Does something that many times at once, while others are served. */
const together = <T>(count: number, act: (index: number) => Promise<T>) =>
  gateway.watch(() => Promise.all(times(count, act)));

/** Expects a gateway with a heap of 512 MB to free its memory, whatever one caller does not read. */
const expectRoom = () =>
  expect.poll(() => gateway.measure('memory'), { interval: 200 }).toBeLessThan(200_000_000);

let unread: ReturnType<typeof gateway.begin>[] = [];
const leave = () => {
  for (const each of unread) each.destroy();
};

/** The codes of a refusal, as in docs/errors.md. */
const CODES =
  'BAD_REQUEST BAD_USER_INPUT FORBIDDEN GRAPHQL_PARSE_FAILED GRAPHQL_VALIDATION_FAILED OPERATION_TOO_EXPENSIVE ' +
  'OVERLOADED PAYLOAD_TOO_LARGE RATE_LIMITED UPSTREAM_INVALID_RESPONSE UPSTREAM_TIMEOUT';
const STATUSES = [200, 400, 413, 429, 503];

/** Each is answered or refused, and a refusal says why. */
function expectAnswers(answers: readonly BriefResponse[]): void {
  for (const { status, codes, start } of answers) {
    expect(STATUSES, start).toContain(status);
    for (const code of codes) expect(CODES.split(' '), start).toContain(code);
    if (codes.length === 0) expect([status, start]).toEqual([200, expect.stringContaining('"data"')]);
  }
}

const FIELDS =
  'id internalId debtorNumber debtorIdentifier name bankAccountName bankAccountNumber bookOpenAmount callPhoneNumber smsPhoneNumber cocNumber vatNumber creditLimitAmount debtorProvidedEmailAddress primaryEmailAddress invoiceEmailAddress invoiceCcEmailAddress invoiceBccEmailAddress reminderEmailAddress reminderCcEmailAddress reminderBccEmailAddress languageCode relationManager peppolIdentifier publicUrl remark';

const list = (administration: string, fields: string, args = 'first: 10000') =>
  `debtors(administrationId: "${administration}", ${args}) { nodes { ${fields} } }`;
const aliases = (count: number, field: string) => times(count, (index) => `a${index}: ${field}`).join(' ');

testWith(LOOPBACK_ADDRESSES)(
  'no request of one caller blocks the event loop for long',
  async () => {
    for (const [kind, request] of Object.entries(LONG_REQUESTS))
      expect(await gateway.holdOf(JSON.stringify(request), 3_000), kind).toBeLessThan(1);
    const count = casesOf({ short: 4, long: 1_000 });
    const worst = await searchWorst(new Random(SEED), count, (body) => gateway.holdOf(body));
    const message = `of 250 ms, with seed ${SEED}: ${worst?.body.slice(0, 5_000)}`;
    expect(worst?.measured, message).toBeLessThan(1);
  },
  3_600_000,
);

/** A body of half a megabyte that has this many times in a variable. */
const filled = (piece: string, [before, after] = ['[', '0]']) =>
  `{"query":"{ __typename }","variables":{"a":${before}${piece.repeat(500_000 / piece.length)}${after}}}`;
const nested = (open: string, close: string) =>
  `{"query":"{ __typename }","variables":{"a":${open.repeat(250_000)}0${close.repeat(250_000)}}}`;

describeHere('other callers are served while one caller', () => {
  const BODIES: [what: string, body: string][] = [
    ['different members', `{"query":"{ __typename }","variables":{${times(45_000, (i) => `"m${i}":0`)}}}`],
    ['nested lists', nested('[', ']')],
    ['escapes', filled('\\u00e9\\n', ['"', '"'])],
    [
      'many operations with long documents',
      `[${times(10, (i) => JSON.stringify({ query: `{ ${aliases(1_400, `a${i}`)} }` }))}]`,
    ],
    ['commas', filled('0,')],
    ['empty lists', filled('[],')],
    ['empty objects', filled('{},')],
    ['leading spaces', `${' '.repeat(500_000)}{}`],
    ['nested objects', nested('{"a":', '}')],
    ['unclosed brackets', '['.repeat(500_000)],
    ['many operations', `[${times(20_000, () => '{"query":"{a}"}')}]`],
  ];
  test.each(someOf(4, BODIES))('sends bodies of %s', async (_what, body) => {
    expectAnswers(await together(8, () => gateway.send(body)));
  });

  test('sends bodies that are too long, with and without their length', async () => {
    const long = filled('x'.repeat(1_000), ['"', '"']).repeat(4);
    const ways = [{}, { 'transfer-encoding': 'chunked' }];
    const answers = await gateway.watch(() =>
      Promise.all(ways.flatMap((headers) => times(8, () => gateway.send(long, { headers })))),
    );
    for (const { status } of answers) expect(status).toBe(413);
  });

  test('sends half of a body on each of many connections', async () => {
    await gateway.watch(async () => {
      const requests = times(200, () => gateway.begin({ headers: { 'content-length': '400000' } }));
      for (const each of requests) each.write(filled('0,').slice(0, 150_000));
      await sleep(500);
      for (const each of requests) each.destroy();
    });
  });
});

/** A list of debtors with a fragment, and these fragments. */
const withFragments = (count: number, fields: (index: number) => string) =>
  `{ debtors(administrationId: "wide") { nodes { ...f0 } } } ${times(count, (index) => `fragment f${index} on Debtor { ${fields(index)} }`).join(' ')}`;
describeHere('other callers are served while one caller', () => {
  const DOCUMENTS: [what: string, make: () => string][] = [
    ['tokens', () => `{ ${'a '.repeat(31_990)}}`],
    [
      'fragments that spread the next one twice',
      () => withFragments(50, (i) => (i < 49 ? `name ...f${i + 1} ...f${i + 1}` : 'name')),
    ],
    ['unknown directives', () => `{ __typename ${'@a '.repeat(3_900)}}`],
    [
      'wrong values',
      () =>
        `{ ${list('wide', 'id', `first: 10000, where: { or: [${'{ name: { eq: 1, eqq: 2 } } '.repeat(480)}] }`)} }`,
    ],
    ['brackets', () => '{'.repeat(64_000)],
    ['a nested argument', () => `{ node(id: ${'['.repeat(3_500)}${']'.repeat(3_500)}) { id } }`],
    ['fragments in a cycle', () => withFragments(49, (i) => `name ...f${(i + 1) % 49}`)],
    ['block strings', () => `{ node(id: """${'\n '.repeat(7_900)}""") { id } }`],
  ];
  test.each(someOf(4, DOCUMENTS))('sends documents of %s', async (_what, make) => {
    // Each is new, so that nothing is known of it.
    const document = (index: number) => `${make()} #${index}`.slice(0, 64_000);
    expectAnswers(await together(8, (index) => gateway.query(document(index))));
  });

  const VARIABLES: [what: string, where: string][] = [
    ['have many errors', `{"or":[${times(9_000, () => '{"nmae":1}')}]}`],
    ['are long', `{"or":[${times(9_000, (index) => `{"name":{"contains":"${index}"}}`)}]}`],
    ['are nested', `${'{"not":'.repeat(12_000)}{}${'}'.repeat(12_000)}`],
  ];
  test.each(someOf(2, VARIABLES))('sends variables that %s', async (_what, where) => {
    const document = `query ($where: DebtorWhere) { ${list('long', 'name', 'first: 10000, where: $where')} }`;
    const body = `{"query":${JSON.stringify(document)},"variables":{"where":${where}}}`;
    expectAnswers(await together(8, () => gateway.send(body)));
  });
});

describeHere('other callers are served while one caller', () => {
  test('requests the largest responses, many at once', async () => {
    // From now on, the service accepts this caller, who no longer counts for the address.
    await gateway.query(`{ ${list('texts', 'name', 'first: 1')} }`);
    const alone = await gateway.watch(() => gateway.query(`{ ${list('wide', FIELDS)} }`));
    expect(alone.bytes).toBeGreaterThan(5_000_000);
    const answers = await gateway.watch(() =>
      Promise.all([
        ...times(4, (index) => gateway.query(`{ ${list(`wide-${index}`, FIELDS)} }`)),
        ...times(4, (index) => gateway.query(`{ ${aliases(4, list(`wide-${index}`, FIELDS))} }`)),
        ...times(4, (index) => gateway.query(`{ ${list('texts', aliases(150 + index, 'remark'))} }`)),
      ]),
    );
    expectAnswers(answers);
  });

  test('does not read its responses', async () => {
    await gateway.watch(async () => {
      leave();
      const document = `{ ${list('texts', aliases(6, 'remark'))} }`;
      unread = times(40, () => gateway.begin());
      for (const each of unread) each.end(JSON.stringify({ query: document }));
      const responses = await Promise.all(unread.map(responseTo));
      for (const response of responses) expect([200, 429, 503, undefined]).toContain(response?.statusCode);
      expect(responses.map((response) => response?.statusCode)).toContain(200);
      await sleep(500);
    });
    await expectRoom();
    leave();
  });

  test('requests rows that all have wrong types', async () => {
    const answers = await together(2, (index) => gateway.query(`{ ${list(`wrong-${index}`, FIELDS)} }`));
    expectAnswers(answers);
    for (const { codes } of answers) expect(codes).not.toEqual([]);
  });

  test('requests pages of the largest size, and larger ones', async () => {
    const one = (administration: string) => `{ ${list(administration, 'id remark')} }`;
    const answers = await gateway.watch(() =>
      Promise.all([
        ...times(12, (index) => gateway.query(one(`heavy-${index}`))),
        ...times(4, (index) => gateway.query(one(`tooheavy-${index}`))),
      ]),
    );
    expectAnswers(answers);
    expect(answers.some(({ codes }) => codes.length === 0)).toBe(true);
  });
});

describeHere('other callers are served while one caller', () => {
  test.each([
    ['operations that wait for the service', 200, 1],
    ['calls that wait for the service', 30, 40],
  ])('sends many %s', async (_what, operations, calls) => {
    let tries = 0;
    const answers = await gateway.watch(async () => {
      tries += 1;
      const release = gateway.service.hold();
      const asked = times(operations, (index) =>
        gateway.query(
          `{ ${times(calls, (place) => `a${place}: ${list(`slow-${tries}-${index}-${place}`, 'name', 'first: 1')}`)} }`,
        ),
      );
      // While most of them wait, other callers are served.
      await sleep(1_000);
      release();
      return Promise.all(asked);
    });
    expectAnswers(answers);
    const refusals = answers.flatMap(({ codes }) => codes);
    expect(['OVERLOADED', 'RATE_LIMITED']).toEqual(expect.arrayContaining(refusals));
    expect(answers.some(({ codes }) => codes.length === 0)).toBe(true);
  });

  test('sends many tokens that the service rejects', async () => {
    const document = `{ ${list('mine-1', 'name')} }`;
    const answers = await together(100, (index) => gateway.query(document, {}, { token: `guess-${index}` }));
    expectAnswers(answers);
    for (const { codes } of answers) expect(['FORBIDDEN', 'OVERLOADED', 'RATE_LIMITED']).toContain(codes[0]);
  });

  test('starts exports and streams without reading them', async () => {
    const file = JSON.stringify({ query: `{ debtors(administrationId: "wide") { nodes { ${FIELDS} } } }` });
    const live = JSON.stringify({
      query: `subscription { changes(administrationId: "texts", kinds: [DEBTOR_CHANGED], since: "2020-01-01T00:00:00Z") { cursor ... on DebtorChanged { debtor { remark } } } }`,
    });
    await gateway.watch(async () => {
      leave();
      const exports = times(12, (index) =>
        gateway.begin({ path: `/graphql.${index % 2 ? 'csv' : 'ndjson'}` }),
      );
      const streams = times(130, () => gateway.begin({ headers: { accept: 'text/event-stream' } }));
      unread = [...exports, ...streams];
      for (const each of exports) each.end(file);
      for (const each of streams) each.end(live);
      const statuses = async (requests: typeof exports) =>
        (await Promise.all(requests.map(responseTo))).map((response) => response?.statusCode);
      const [files, feeds] = await Promise.all([statuses(exports), statuses(streams)]);
      for (const status of [...files, ...feeds]) expect([200, 429, 503]).toContain(status);
      expect(files).toContain(200);
      expect(files).toContain(503);
      expect(feeds).toContain(200);
      await sleep(500);
    });
    await expectRoom();
    leave();
  });
});

testWith(LOOPBACK_ADDRESSES)('the gateway frees the memory of all requests of one caller', expectRoom);
