import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { Client, fetchExchange } from '@urql/core';
import { type GraphQLFormattedError, parse } from 'graphql';
import { createClient } from 'graphql-sse';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, BEARER, freshGateway, type TestGateway, useGateway } from '../support/gateway.ts';
import { changeDebtor } from '../support/rest-records.ts';

const SUBSCRIPTION = `subscription Live {
  changes(administrationId: "${ADMINISTRATION}", kinds: [DEBTOR_CHANGED]) { __typename eventId cursor }
}`;

interface Live {
  readonly changes: { readonly eventId: string; readonly cursor: string };
}

/** What a program is told: the codes of errors, and how it ends. */
type Told = 'event' | 'completed' | `notice ${string}` | `end ${string}` | `failed ${string}`;
type Tell = (told: Told) => void;
type Headers = Readonly<Record<string, string>>;

function errorIn(errors: readonly Pick<GraphQLFormattedError, 'extensions'>[] = []): Told {
  const [{ extensions } = {}] = errors;
  return `${extensions?.ends === false ? 'notice' : 'end'} ${extensions?.code}`;
}

/** Each subscribes as a program that uses the client would, and returns what unsubscribes it. */
const PROGRAMS: {
  readonly [client: string]: (tell: Tell, url: string, query: string, headers: Headers) => () => void;
} = {
  'graphql-sse'(tell, url, query, headers) {
    return createClient({ url, headers }).subscribe<Live>(
      { query },
      {
        next: ({ data, errors }) => tell(data ? 'event' : errorIn(errors)),
        error: (error) => tell(`failed ${error}`),
        complete: () => tell('completed'),
      },
    );
  },

  urql(tell, url, query, headers) {
    const fetchOptions = { headers };
    const client = new Client({ url, exchanges: [fetchExchange], fetchSubscriptions: true, fetchOptions });
    let last: string | undefined;
    // It adds each result to those before it: data stays beside a later error, and an error beside later data.
    const { unsubscribe } = client.subscription<Live>(query, {}).subscribe(({ data, error, hasNext }) => {
      if (!hasNext) tell('completed');
      else tell(data?.changes.eventId !== last ? 'event' : errorIn(error?.graphQLErrors));
      last = data?.changes.eventId;
    });
    return unsubscribe;
  },

  'Apollo Client'(tell, url, query, headers) {
    const link = new HttpLink({ uri: url, headers });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const subscription = client.subscribe<Live>({ query: parse(query) }).subscribe({
      next({ data, error }) {
        tell(data ? 'event' : errorIn(CombinedGraphQLErrors.is(error) ? error.errors : []));
      },
      error: (error) => tell(`failed ${error}`),
      complete: () => tell('completed'),
    });
    return () => subscription.unsubscribe();
  },
};

const POLLING = { gateway: { changesPollMs: 30, maxSubscriptions: 1 } };
const gateway = await useGateway(POLLING);

/** Changes a debtor at the service, once it has been polled: the first two calls are what a stream starts with. */
async function rename({ rest }: TestGateway, name: string): Promise<void> {
  await eventually(() => expect(rest.calls.length).toBeGreaterThan(2));
  changeDebtor(rest, ADMINISTRATION, { name });
}

describe.each(Object.entries(PROGRAMS))('%s', (client, subscribe) => {
  const run = (url: string, query = SUBSCRIPTION, headers: Headers = BEARER) => {
    const told: Told[] = [];
    return { told, unsubscribe: subscribe((one) => told.push(one), url, query, headers) };
  };
  const endOf = (code: string): Told[] => [`end ${code}`, 'completed'];

  test('is told of changes, goes on after a notice, and is told of the end', async () => {
    const running = await freshGateway(POLLING);
    const { told } = run(running.url);
    await rename(running, 'One');
    await eventually(() => expect(told).toEqual(['event']));
    // Reads are tried three times.
    running.rest.misbehave({ kind: 'status', status: 503, times: 3 });
    const failed = () => running.rest.calls.filter(({ status }) => status === 503);
    await eventually(() => expect(failed()).toHaveLength(3));
    await rename(running, 'Two');
    const both: Told[] = ['event', 'notice UPSTREAM_UNAVAILABLE', 'event'];
    await eventually(() => expect(told).toEqual(both));
    running.rest.misbehave({ kind: 'status', status: 401, times: 9 });
    await eventually(() => expect(told).toEqual([...both, ...endOf('UNAUTHENTICATED')]));
  });

  test('is told what is refused, and frees its place as it unsubscribes', async () => {
    for (const [query, headers, code] of [
      [SUBSCRIPTION, { authorization: 'Bearer nobody' }, 'UNAUTHENTICATED'],
      [SUBSCRIPTION.replace('kinds:', 'after: "none", kinds:'), BEARER, 'BAD_USER_INPUT'],
      [SUBSCRIPTION.replace('cursor', 'nonsense'), BEARER, 'GRAPHQL_VALIDATION_FAILED'],
    ] as const) {
      const { told } = run(gateway.url, query, headers);
      await eventually(() => expect(told).toEqual(endOf(code)));
    }
    gateway.rest.calls.length = 0;
    const first = run(gateway.url);
    await rename(gateway, `For ${client}`);
    await eventually(() => expect(first.told).toEqual(['event']));
    first.unsubscribe();
    await eventually(async () => {
      const response = await fetch(`${gateway.url}?${new URLSearchParams({ query: SUBSCRIPTION })}`, {
        headers: { ...BEARER, accept: 'text/event-stream' },
      });
      await response.body?.cancel();
      expect(response.status).toBe(200);
    });
  });
});
