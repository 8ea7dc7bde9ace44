import { readFileSync } from 'node:fs';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { parse } from 'graphql';
import { requestSubscription } from 'relay-runtime';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readPage } from '../docs/pages.ts';
import { eventually } from '../support/eventually.ts';
import { ADMINISTRATION, freshGateway, issueTokens, type TestGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { changeDebtor } from '../support/rest-records.ts';
import { useStreamProxy } from '../support/stream-proxy.ts';
import { resumeLink } from './apollo-resume.ts';
import { relayRequest } from './relay-request.ts';

const POLLING = { gateway: { changesPollMs: 30 } };
const SUBSCRIPTION = `subscription Live {
  changes(administrationId: "${ADMINISTRATION}", kinds: [DEBTOR_CHANGED]) { __typename eventId cursor }
}`;

interface Live {
  readonly changes: { readonly eventId: string };
}

const proxy = await useStreamProxy();

interface Page {
  show(data: unknown): void;
  fail(code: unknown): void;
}

/** Pages by the documentation. */
const PAGES: { readonly [client: string]: (page: Page) => Promise<() => void> } = {
  async 'graphql-sse'({ show, fail }) {
    const { follow } = await import('../docs/clients/follow.ts');
    const error = (reason: unknown) => fail(Object(reason).code);
    return follow({ query: SUBSCRIPTION }, { next: ({ data }) => show(data), error, complete() {} });
  },
  async urql({ show, fail }) {
    const { client } = await import('../docs/clients/urql.ts');
    return client.subscription<Live>(SUBSCRIPTION, {}).subscribe(({ data, error }) => {
      if (error) fail(Object(error.networkError).code);
      else show(data);
    }).unsubscribe;
  },
  async Relay({ show, fail }) {
    const { environment } = await import('../docs/clients/relay.ts');
    return requestSubscription(environment, {
      subscription: relayRequest(parse(SUBSCRIPTION)),
      variables: {},
      onNext: show,
      onError: (error) => fail(Object(error).code),
    }).dispose;
  },
  async 'Apollo Client'({ show, fail }) {
    const { gatewayFetch } = await import('../docs/clients/gateway-fetch.ts');
    const http = new HttpLink({ uri: 'http://localhost:4000/graphql', fetch: gatewayFetch });
    const client = new ApolloClient({ link: resumeLink.concat(http), cache: new InMemoryCache() });
    const subscription = client.subscribe<Live>({ query: parse(SUBSCRIPTION) }).subscribe({
      next({ data, error }) {
        const { extensions } = (CombinedGraphQLErrors.is(error) && error.errors[0]) || {};
        if (data) show(data);
        // It passes on notices too.
        else if (extensions?.ends !== false) fail(extensions?.code);
      },
      error: fail,
    });
    return () => subscription.unsubscribe();
  },
};

const ALL: typeof PAGES = {
  ...PAGES,
  async 'graphql-sse of a deployed page'({ show, fail }) {
    const { follow } = await import('./deployed-follow.ts');
    return follow(SUBSCRIPTION, (changes) => show({ changes }), fail);
  },
};

/** Pages that follow the changes of a gateway together, and the server that gives them tokens. */
async function openPages(pages: typeof PAGES) {
  const first = await freshGateway(POLLING);
  const { rest } = first;
  const tokens = (await issueTokens(rest, 5)).values();
  let gateway: TestGateway = first;
  proxy.target = gateway.url;
  let opened = 0;
  let token = present(tokens.next().value);
  const asked: number[] = [];
  const refusals: number[] = [];
  const realFetch = globalThis.fetch;
  const fetched = async (input: string | URL | Request, init?: RequestInit) => {
    if (input !== '/token') {
      const response = await realFetch(proxy.url, { ...init, method: 'POST' });
      if (response.headers.has('last-event-id')) opened += 1;
      return response;
    }
    const status = refusals.shift() ?? 200;
    // The first one has expired already.
    const { authorization } = asked.push(status) === 1 ? { authorization: 'expired' } : token;
    return new Response(authorization.replace('Bearer ', ''), { status });
  };
  vi.resetModules();
  vi.stubGlobal('fetch', fetched);
  // They wait as short as they may.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    random.mockRestore();
  });
  const shown: { [client: string]: unknown[] } = {};
  const failed: { [client: string]: unknown } = {};
  for (const [client, subscribe] of Object.entries(pages)) {
    shown[client] = [];
    const close = await subscribe({
      show: (data) => shown[client]?.push(Object(data).changes.eventId),
      fail(code) {
        failed[client] = code;
      },
    });
    onTestFinished(close);
  }
  await eventually(() => expect(opened).toBe(Object.keys(pages).length));
  let changed = 0;
  return {
    rest,
    asked,
    failed,
    /** The statuses with which the server refuses to give a token next. */
    refuse: (...statuses: number[]) => refusals.push(...statuses),
    change(): void {
      changeDebtor(rest, ADMINISTRATION, { name: `Changed ${changed}` }, changed);
      changed += 1;
    },
    /** Each page shows each change; what comes again has the same id. */
    async expectAll(): Promise<void> {
      const all = Object.fromEntries(Object.keys(pages).map((client) => [client, changed]));
      const counts = () => Object.entries(shown).map(([client, ids]) => [client, new Set(ids).size]);
      await eventually(() => expect([Object.fromEntries(counts()), failed]).toEqual([all, {}]));
    },
    /** The service refuses the token from now on, and the server gives another one. */
    expire(): void {
      rest.misbehave({ kind: 'status', status: 401, times: 1_000_000, match: token });
      token = present(tokens.next().value);
    },
    async restart(): Promise<void> {
      const next = await freshGateway({ ...POLLING, over: rest });
      await gateway.drain();
      gateway = next;
      proxy.target = gateway.url;
    },
  };
}

test('clients lose no change if a connection breaks before or after an event', async () => {
  const { change, expectAll } = await openPages(PAGES);
  for (let cuts = 0; cuts < 2; cuts += 1) {
    proxy.cut();
    change();
    await expectAll();
  }
});

test('clients renew an expired token once before or during a stream, and lose no change', async () => {
  const { change, expire, expectAll, asked } = await openPages(ALL);
  for (const deaths of [1, 2]) {
    expire();
    change();
    await expectAll();
    expect(asked).toHaveLength(2 + deaths);
  }
});

test('clients renew a token that expires while the gateway restarts, and lose no change', async () => {
  const { change, expire, restart, expectAll, asked } = await openPages(ALL);
  change();
  await expectAll();
  expire();
  change();
  await restart();
  change();
  await expectAll();
  expect(asked).toHaveLength(3);
});

test('clients renew a token later if service and tokens are unavailable, and lose no change', async () => {
  const { rest, change, expire, restart, expectAll, asked, refuse } = await openPages(ALL);
  change();
  await expectAll();
  expire();
  refuse(503, 503);
  rest.misbehave({ kind: 'status', status: 503, times: 30 });
  await restart();
  change();
  await expectAll();
  expect(asked.filter((status) => status === 503)).toHaveLength(2);
});

test('a page reports that its user has to log in, and sends no more requests', async () => {
  const { failed, expire, refuse, asked } = await openPages(PAGES);
  const before = asked.length;
  refuse(...Array.from({ length: 100 }, () => 401));
  expire();
  const shown = Object.keys(PAGES).map((client) => [client, 'UNAUTHENTICATED']);
  await eventually(() => expect(failed).toEqual(Object.fromEntries(shown)));
  // At most once for each of its streams.
  expect(asked.length - before).toBeLessThanOrEqual(shown.length);
});

test('the tested `resumeLink` is in the documentation', () => {
  const link = readFileSync(new URL('apollo-resume.ts', import.meta.url), 'utf8');
  expect(readPage('docs/live-changes.md')).toContain(link);
});
