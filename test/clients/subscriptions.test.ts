import { readFileSync } from 'node:fs';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { Client, fetchExchange } from '@urql/core';
import { type GraphQLFormattedError, parse } from 'graphql';
import { createClient } from 'graphql-sse';
import { Environment, Network, RecordSource, requestSubscription, Store } from 'relay-runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readPage } from '../docs/pages.ts';
import { StreamReader } from '../streams/support.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER, freshGateway, type TestGateway } from '../support/gateway.ts';
import { changeDebtor } from '../support/rest-records.ts';
import { useStreamProxy } from '../support/stream-proxy.ts';
import { resumeLink } from './apollo-resume.ts';
import { relayRequest } from './relay-request.ts';
import { subscribeBy } from './relay-subscribe.ts';

const SUBSCRIPTION = `subscription Live {
  changes(administrationId: "${ADMINISTRATION}", kinds: [DEBTOR_CHANGED]) { __typename eventId cursor }
}`;

interface Live {
  readonly changes: { readonly eventId: string; readonly cursor: string };
}

/** What a program is told: the codes of errors, and how it ends. */
type Told = 'event' | 'completed' | `notice ${string}` | `end ${string}` | `failed ${string}`;

interface Program {
  readonly told: readonly Told[];
  unsubscribe(): void;
}

function errorIn(errors: readonly Pick<GraphQLFormattedError, 'extensions'>[] = []): Told {
  const [{ extensions } = {}] = errors;
  return `${extensions?.ends === false ? 'notice' : 'end'} ${extensions?.code}`;
}

type Headers = Readonly<Record<string, string>>;

/** Each subscribes as a program that uses the client would. */
const PROGRAMS: { readonly [client: string]: (url: string, query?: string, headers?: Headers) => Program } = {
  'graphql-sse'(url, query = SUBSCRIPTION, headers = BEARER) {
    const told: Told[] = [];
    const client = createClient({ url, headers });
    const unsubscribe = client.subscribe<Live>(
      { query },
      {
        next: ({ data, errors }) => told.push(data ? 'event' : errorIn(errors)),
        error: (error) => told.push(`failed ${error}`),
        complete: () => told.push('completed'),
      },
    );
    return { told, unsubscribe };
  },

  urql(url, query = SUBSCRIPTION, headers = BEARER) {
    const told: Told[] = [];
    const fetchOptions = { headers };
    const client = new Client({ url, exchanges: [fetchExchange], fetchSubscriptions: true, fetchOptions });
    let last: string | undefined;
    // It adds each result to those before it: data stays beside a later error, and an error beside later data.
    const subscription = client.subscription<Live>(query, {}).subscribe(({ data, error, hasNext }) => {
      if (!hasNext) told.push('completed');
      else if (data?.changes.eventId !== last) told.push('event');
      else told.push(errorIn(error?.graphQLErrors));
      last = data?.changes.eventId;
    });
    return { told, unsubscribe: () => subscription.unsubscribe() };
  },

  'Apollo Client'(url, query = SUBSCRIPTION, headers = BEARER) {
    const told: Told[] = [];
    const link = new HttpLink({ uri: url, headers });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const subscription = client.subscribe<Live>({ query: parse(query) }).subscribe({
      next({ data, error }) {
        told.push(data ? 'event' : errorIn(CombinedGraphQLErrors.is(error) ? error.errors : []));
      },
      error: (error) => told.push(`failed ${error}`),
      complete: () => told.push('completed'),
    });
    return { told, unsubscribe: () => subscription.unsubscribe() };
  },

  Relay(url, query = SUBSCRIPTION, headers = BEARER) {
    const told: Told[] = [];
    const network = Network.create(
      () => Promise.reject(new Error('no query')),
      subscribeBy(createClient({ url, headers })),
    );
    const environment = new Environment({ network, store: new Store(new RecordSource()) });
    const { dispose } = requestSubscription(environment, {
      subscription: relayRequest(parse(query)),
      variables: {},
      onNext: () => told.push('event'),
      onError: (error: Error & { readonly code?: string }) => told.push(`end ${error.code}`),
      onCompleted: () => told.push('completed'),
    });
    return { told, unsubscribe: dispose };
  },
};

const start = (options: object = {}) => freshGateway({ gateway: { changesPollMs: 100, ...options } });

/** Changes a debtor at the service, once it has been polled: the first two calls are what a stream starts with. */
async function rename({ rest }: TestGateway, name: string): Promise<void> {
  await eventually(() => expect(rest.calls.length).toBeGreaterThan(2));
  changeDebtor(rest, ADMINISTRATION, { name });
}

/** Reads are tried three times. */
const FAILURE = { kind: 'status', status: 503, times: 3 } as const;

describe.each(Object.entries(PROGRAMS))('%s', (client, subscribe) => {
  /** Relay is not given what has no data, and fails at the end. */
  const isRelay = client === 'Relay';
  const notice: Told[] = isRelay ? [] : ['notice UPSTREAM_UNAVAILABLE'];

  test('is told of changes, goes on after a notice, and is told of the end', async () => {
    const running = await start();
    const { told } = subscribe(running.url);
    await rename(running, 'One');
    await eventually(() => expect(told).toEqual(['event']));
    running.rest.misbehave(FAILURE);
    const before = running.rest.calls.length;
    await eventually(() => expect(told).toEqual(['event', ...notice]));
    // Relay is told nothing of the failure.
    await eventually(() => expect(running.rest.calls.length).toBeGreaterThan(before + 3));
    await rename(running, 'Two');
    await eventually(() => expect(told).toEqual(['event', ...notice, 'event']));
    running.rest.misbehave({ kind: 'status', status: 401, times: 9 });
    const end: Told[] = isRelay ? ['end UNAUTHENTICATED'] : ['end UNAUTHENTICATED', 'completed'];
    await eventually(() => expect(told).toEqual(['event', ...notice, 'event', ...end]));
  });

  test.each<[string, string, Headers, string]>([
    ['a token that is not known', SUBSCRIPTION, { authorization: 'Bearer nobody' }, 'UNAUTHENTICATED'],
    [
      'a cursor that is none',
      SUBSCRIPTION.replace('kinds:', 'after: "none", kinds:'),
      BEARER,
      'BAD_USER_INPUT',
    ],
    ['an unknown field', SUBSCRIPTION.replace('cursor', 'nonsense'), BEARER, 'GRAPHQL_VALIDATION_FAILED'],
  ])('is told that %s is refused', async (_what, query, headers, code) => {
    const { url } = await start();
    const { told } = subscribe(url, query, headers);
    await eventually(() => expect(told).toEqual([`end ${code}`, ...(isRelay ? [] : ['completed'])]));
  });

  test('frees its place as it unsubscribes', async () => {
    const running = await start({ maxSubscriptions: 1 });
    const first = subscribe(running.url);
    await rename(running, 'One');
    await eventually(() => expect(first.told).toEqual(['event']));
    first.unsubscribe();
    await eventually(async () => {
      const response = await fetch(`${running.url}?${new URLSearchParams({ query: SUBSCRIPTION })}`, {
        headers: { ...BEARER, accept: 'text/event-stream' },
      });
      await response.body?.cancel();
      expect(response.status).toBe(200);
    });
  });
});

describe('graphql-sse', () => {
  test('gets queries and mutations, and the errors of both', async () => {
    const { url } = await start();
    const client = createClient({ url, headers: BEARER, retryAttempts: 0 });
    const run = async (query: string) => {
      const results: unknown[] = [];
      for await (const result of client.iterate({ query })) results.push(result);
      return results;
    };
    expect(await run('{ __typename }')).toMatchObject([{ data: { __typename: 'Query' } }]);
    expect(
      await run('mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } } }'),
    ).toMatchObject([{ data: { unmarkTaskCompleted: { task: { internalId: '400001' } } } }]);
    expect(await run('{ nonsense }')).toMatchObject([
      { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
    ]);
  });

  test('goes on behind the last event after its connection is lost, and nothing is told twice or lost', async () => {
    const running = await start();
    const names: unknown[] = [];
    let cursor: string | undefined;
    let connection = new AbortController();
    const client = createClient({
      url: running.url,
      // Called for each attempt.
      headers: () => ({ ...BEARER, ...(cursor !== undefined && { 'last-event-id': cursor }) }),
      retry: async () => {},
      fetchFn(url: string, init: RequestInit) {
        connection = new AbortController();
        return fetch(url, { ...init, signal: connection.signal });
      },
    });
    const query = SUBSCRIPTION.replace('cursor', 'cursor ... on DebtorChanged { debtor { name } }');
    const unsubscribe = client.subscribe<{
      readonly changes: Live['changes'] & { readonly debtor: { readonly name: string } };
    }>(
      { query },
      {
        next({ data }) {
          cursor = data?.changes.cursor;
          names.push(data?.changes.debtor.name);
        },
        error: (error) => names.push(error),
        complete: () => {},
      },
    );
    await rename(running, 'One');
    await eventually(() => expect(names).toEqual(['One']));
    connection.abort();
    await rename(running, 'Two');
    await eventually(() => expect(names).toEqual(['One', 'Two']));
    unsubscribe();
    connection.abort();
  });
});

describe('Apollo Client', () => {
  const proxy = useStreamProxy();

  test('goes on with the link of the documentation, before its first event too, and nothing is lost', async () => {
    const running = await start();
    const { url, cut } = await proxy;
    let responses = 0;
    const http = new HttpLink({
      uri: url,
      headers: BEARER,
      async fetch(...args) {
        const response = await fetch(...args);
        if (response.ok) responses += 1;
        return response;
      },
    });
    const client = new ApolloClient({ link: resumeLink.concat(http), cache: new InMemoryCache() });
    const names = new Map<string, string>();
    const failures: unknown[] = [];
    const query = SUBSCRIPTION.replace('cursor', 'cursor ... on DebtorChanged { debtor { id name } }');
    type Renamed = { changes: Live['changes'] & { readonly debtor: { readonly name: string } } };
    Object.assign(await proxy, { target: running.url });
    const subscription = client.subscribe<Renamed>({ query: parse(query) }).subscribe({
      next: ({ data }) => data && names.set(data.changes.eventId, data.changes.debtor.name),
      error: (error) => failures.push(error),
    });
    onTestFinished(() => subscription.unsubscribe());
    for (const [index, name] of ['One', 'Two', 'Three'].entries()) {
      await eventually(() => expect(responses).toBe(index + 1));
      Object.assign(await proxy, { target: undefined });
      cut();
      changeDebtor(running.rest, ADMINISTRATION, { name });
      Object.assign(await proxy, { target: running.url });
      await eventually(() => expect([...names.values()].at(-1)).toBe(name));
    }
    expect([...names.values()]).toEqual(['One', 'Two', 'Three']);
    expect(failures).toEqual([]);
  });

  test.each(['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0'])(
    'and others are told where a stream begins by its header (%s)',
    async (accept) => {
      const running = await start();
      const open = (query: string) =>
        fetch(`${running.url}?${new URLSearchParams({ query })}`, { headers: { ...BEARER, accept } });
      const response = await open(SUBSCRIPTION);
      const begin = response.headers.get('last-event-id') ?? '';
      await response.body?.cancel();
      changeDebtor(running.rest, ADMINISTRATION, { name: 'One' });
      const next = await open(SUBSCRIPTION.replace('kinds:', `after: "${begin}", kinds:`));
      expect(next.headers.get('last-event-id')).toBe(begin);
      const reader = new StreamReader(next);
      expect(await reader.until('DebtorChanged')).toContain('"__typename":"DebtorChanged"');
      await reader.cancel();
      // What is longer came from the client, and has no room in a header.
      const id = 'x'.repeat(3_000);
      const long = Buffer.from(JSON.stringify([1, ADMINISTRATION, { d: [0, 0, id] }])).toString('base64url');
      const other = await open(SUBSCRIPTION.replace('kinds:', `after: "${long}", kinds:`));
      expect([other.status, other.headers.get('last-event-id')]).toEqual([200, null]);
      await other.body?.cancel();
    },
  );
});

test.each([
  ['network layer for Relay', 'relay-subscribe.ts'],
  ['link for Apollo Client', 'apollo-resume.ts'],
])('the %s is the one of the documentation', (_what, file) => {
  expect(readPage('docs/live-changes.md')).toContain(readFileSync(new URL(file, import.meta.url), 'utf8'));
});
