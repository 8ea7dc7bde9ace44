import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoCredentials } from '../../../src/demo/credentials.ts';
import { basicAuthorization } from '../../../src/gateway/credentials.ts';
import { isObject } from '../../../src/rest/json.ts';
import { encodeGlobalId } from '../../../src/schema/global-id.ts';
import { codesOf } from '../../support/answers.ts';
import { type Answer, useGateway } from '../../support/gateway.ts';
import { times } from '../../support/times.ts';

const logged: string[] = [];
const log = (...line: unknown[]) => void logged.push(JSON.stringify(line));
const gateway = await useGateway({ gateway: { log } });
const remembering = await useGateway({ gateway: { log, cacheTtlMs: 60_000 } });
const { tokens } = demoCredentials;

const OF_A = ['1001', '1002'];
const callers = [
  { token: tokens.companyA, administrations: OF_A, onlyDebtors: false },
  { token: tokens.companyB, administrations: ['2001'], onlyDebtors: false },
  { token: tokens.readOnlyDebtors, administrations: OF_A, onlyDebtors: true },
] as const;

/** Two debtors of each administration, so that callers ask for the same records and for each other's. */
const samples = ['1001', '1002', '2001'].map((administration) => ({
  administration,
  ids: gateway.rest.data.debtors
    .filter(({ administration_id }) => administration_id === administration)
    .slice(0, 2)
    .map(({ id }) => id),
}));

const kinds = {
  list: 'query ($a: ID!) { debtors(administrationId: $a, first: 20) { nodes { internalId administrationId } } }',
  one: 'query ($a: ID!, $id: ID!) { debtor(administrationId: $a, by: { id: $id }) { internalId administrationId } }',
  node: 'query ($node: ID!) { node(id: $node) { ... on Debtor { internalId administrationId } } }',
  lines:
    'query ($a: ID!) { declarationLines(administrationId: $a, first: 20) { nodes { internalId administrationId } } }',
  cases: `query ($a: ID!) {
    deletedCreditCases(administrationId: $a, first: 5) {
      nodes { internalId administrationId debtor { internalId administrationId } }
    }
  }`,
  viewer: '{ viewer { administrations { administrationId: internalId } } }',
} as const;

const anOperation = fc.record({
  caller: fc.constantFrom(...callers),
  kind: fc.constantFrom<keyof typeof kinds>('list', 'one', 'node', 'lines', 'cases', 'viewer'),
  sample: fc.constantFrom(...samples),
  which: fc.nat(1),
  delay: fc.nat(3),
});

/** Every record in an answer, however deep. */
function recordsIn(value: unknown): { readonly [name: string]: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn);
  if (!isObject(value)) return [];
  return [...('administrationId' in value ? [value] : []), ...Object.values(value).flatMap(recordsIn)];
}

function expectOwn(
  {
    caller,
    kind,
    sample,
  }: { caller: (typeof callers)[number]; kind: keyof typeof kinds; sample: (typeof samples)[number] },
  answer: Answer<unknown>,
): void {
  const records = recordsIn(answer.data);
  if (kind === 'viewer') {
    expect(records.map(({ administrationId }) => administrationId)).toEqual(caller.administrations);
    return;
  }
  const mayRead = !caller.onlyDebtors || !['lines', 'cases'].includes(kind);
  if (mayRead && caller.administrations.some((id) => id === sample.administration)) {
    expect(codesOf(answer)).toEqual([]);
    expect(records.length).toBeGreaterThan(0);
  } else {
    expect(codesOf(answer)).toEqual(['FORBIDDEN']);
    expect(records).toEqual([]);
  }
  expect(new Set(records.map(({ administrationId }) => administrationId)).size).toBeLessThan(2);
  for (const { internalId, administrationId } of records) {
    expect(administrationId).toBe(sample.administration);
    expect(administrationOf.get(String(internalId))).toBe(sample.administration);
  }
}

const administrationOf = new Map<string, string>();

describe('callers side by side', () => {
  beforeAll(() => {
    const { debtors, declarationLines, deletedCreditCases } = gateway.rest.data;
    for (const { id, administration_id } of [...debtors, ...declarationLines, ...deletedCreditCases]) {
      administrationOf.set(id, administration_id);
    }
  });

  test.each([
    ['nothing is remembered', gateway],
    ['what was read is remembered', remembering],
  ])(
    'each see their own records, and nothing of the others, where %s',
    async (_where, gateway) => {
      await fc.assert(
        fc.asyncProperty(fc.array(anOperation, { minLength: 40, maxLength: 60 }), async (operations) => {
          for (const { delay } of operations) gateway.rest.misbehave({ kind: 'delay', milliseconds: delay });
          const answers = await Promise.all(
            operations.map(({ caller, kind, sample, which }) => {
              const id = sample.ids[which] ?? '';
              const node = encodeGlobalId({ type: 'Debtor', administration: sample.administration, id });
              const variables = { a: sample.administration, id, node };
              return gateway.query(kinds[kind], variables, { authorization: `Bearer ${caller.token}` });
            }),
          );
          for (const [index, operation] of operations.entries()) {
            const answer = answers[index];
            if (answer) expectOwn(operation, answer);
          }
          expect(answers).toHaveLength(operations.length);
          gateway.rest.behave();
        }),
        { seed: 20_250_630, numRuns: 25 },
      );
      expect(logged).toEqual([]);
    },
    60_000,
  );
});

describe('a refresh token, which works once', () => {
  const client = (id: string, secret: string) => ({ authorization: basicAuthorization(id, secret) });
  const { application, clientCredentialsApplication } = demoCredentials;
  const own = client(application.clientId, application.clientSecret);
  const other = client(clientCredentialsApplication.clientId, clientCredentialsApplication.clientSecret);
  const REFRESH = `mutation ($token: String!) {
    refreshAccessToken(input: { refreshToken: $token }) { token { accessToken refreshToken } }
  }`;
  let token: string = demoCredentials.refreshToken;

  async function refreshed(answers: readonly Answer<unknown>[]): Promise<void> {
    const pairs = new Set(answers.map(({ text }) => /"refreshToken":"([^"]+)"/.exec(text)?.[1]));
    expect(pairs.size).toBe(1);
    const [next = ''] = pairs;
    expect(next).not.toBe('');
    token = next;
  }

  test('is sent once when many use it at the same time, and all get the same pair', async () => {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 300 });
    const answers = await Promise.all(times(5, () => gateway.query(REFRESH, { token }, own)));
    expect(answers.flatMap(codesOf)).toEqual([]);
    expect(gateway.calls()).toHaveLength(1);
    await refreshed(answers);
  });

  async function refreshAndLeave(meanwhile: () => Promise<unknown>): Promise<void> {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 500 });
    const controller = new AbortController();
    const first = fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...own },
      body: JSON.stringify({ query: REFRESH, variables: { token } }),
      signal: controller.signal,
    }).then(
      () => 'stayed',
      () => 'left',
    );
    await expect.poll(() => gateway.rest.calls.length).toBe(1);
    await meanwhile();
    controller.abort();
    expect(await first).toBe('left');
  }

  test('serves those who follow though the first leaves', async () => {
    let followers: Promise<Answer<unknown>>[] = [];
    await refreshAndLeave(() => {
      followers = times(2, () => gateway.query(REFRESH, { token }, own));
      // Answered after those before it have been let in.
      return gateway.query('{ __typename }');
    });
    const answers = await Promise.all(followers);
    expect(answers.flatMap(codesOf)).toEqual([]);
    expect(gateway.rest.calls).toMatchObject([{ path: '/oauth/token', status: 200, aborted: false }]);
    await refreshed(answers);
  });

  test('is not shared with another application', async () => {
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 200, times: 2 });
    const [mine, theirs] = await Promise.all([
      gateway.query(REFRESH, { token }, own),
      gateway.query(REFRESH, { token }, other),
    ]);
    expect(gateway.calls()).toHaveLength(2);
    expect(codesOf(theirs)).toEqual(['BAD_USER_INPUT']);
    await refreshed([mine]);
    expect(theirs.text).not.toContain(token);
  });

  test('still gives its pair to who comes back after having left', async () => {
    await refreshAndLeave(async () => {});
    await gateway.query('{ __typename }');
    const answer = await gateway.query(REFRESH, { token }, own);
    expect(gateway.rest.calls).toHaveLength(1);
    expect(codesOf(answer)).toEqual([]);
    await refreshed([answer]);
  });
});
