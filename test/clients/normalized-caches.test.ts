import { ApolloClient, HttpLink } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { type DocumentNode, parse } from 'graphql';
import { createOperationDescriptor, Environment, Network, RecordSource, Store } from 'relay-runtime';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cache } from '../docs/clients/apollo.ts';
import { cache as graphcache } from '../docs/clients/urql.ts';
import { ADMINISTRATION, BOTH, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';
import { relayRequest } from './relay-request.ts';

const gateway = await useGateway();

/** A client's normalized cache: what was read is kept by the ids of its objects. */
interface CachingClient {
  request(document: DocumentNode): Promise<unknown>;
  /** Answers from the cache alone. */
  read(document: DocumentNode): Promise<unknown>;
}

function apollo(): CachingClient {
  const client = new ApolloClient({ link: new HttpLink({ uri: gateway.url, headers: BOTH }), cache });
  return {
    request: (query) => client.query({ query, fetchPolicy: 'network-only' }),
    read: async (query) => cache.readQuery({ query }),
  };
}

function urql(): CachingClient {
  const client = new Client({
    url: gateway.url,
    exchanges: [graphcache, fetchExchange],
    fetchOptions: { headers: BOTH },
    preferGetMethod: false,
  });
  return {
    request: (query) => client.query(query, {}, { requestPolicy: 'network-only' }).toPromise(),
    read: async (query) => (await client.query(query, {}, { requestPolicy: 'cache-only' }).toPromise()).data,
  };
}

function relay() {
  const store = new Store(new RecordSource());
  const environment = new Environment({
    store,
    network: Network.create(async ({ text }) => {
      const { data } = await gateway.query(text ?? '', {}, BOTH);
      return { data: Object(data) };
    }),
  });
  const operationOf = (document: DocumentNode) => createOperationDescriptor(relayRequest(document), {});
  return {
    request: (document: DocumentNode) => {
      const operation = operationOf(document);
      environment.retain(operation);
      const { operationKind } = operation.request.node.params;
      const executed =
        operationKind === 'mutation'
          ? environment.executeMutation({ operation })
          : environment.execute({ operation });
      return executed.toPromise();
    },
    read: async (document: DocumentNode) => environment.lookup(operationOf(document).fragment).data,
    records: () => Object.values(store.getSource().toJSON()),
  };
}

afterEach(() => void vi.restoreAllMocks());

describe.each([
  ['Apollo Client', apollo],
  ['Graphcache', urql],
  ['Relay', relay],
])('in the cache of %s', (_, create) => {
  // As each client sends it: Relay and Apollo Client add what they need by themselves.
  const COMPANIES = parse(
    'query Companies { companies(first: 9) { nodes { __typename id internalId name status } pageInfo { hasNextPage endCursor } } }',
  );
  const VIEWER = parse('query Viewer { viewer { company { __typename id internalId name } } }');

  test('the company of a token is the one of the list, and takes nothing from it', async () => {
    const warned = vi.spyOn(console, 'error').mockImplementation(() => {});
    const client = create();
    await client.request(COMPANIES);
    const before = companyIn(await client.read(COMPANIES));
    expect(before).toMatchObject({ name: 'Zorggroep Noord B.V.', status: 'active' });

    const company = { id: '101', name: 'Renamed' };
    gateway.rest.misbehave({ kind: 'rewrite', rewrite: (body) => ({ ...Object(body), company }) });
    await client.request(VIEWER);
    expect(companyIn(await client.read(COMPANIES))).toEqual({ ...before, name: 'Renamed' });
    expect(warned).not.toHaveBeenCalled();
  });
});

test('what a token does not tell of its company is an error, and no null without one', async () => {
  for (const field of ['status', 'trial', 'trialEndsOn']) {
    const { data, errors } = await gateway.query(`{ viewer { company { name ${field} } } }`);
    expect(data).toEqual({ viewer: { company: { name: 'Zorggroep Noord B.V.', [field]: null } } });
    expect(errors).toMatchObject([
      {
        path: ['viewer', 'company', field],
        message: expect.stringContaining(`Ask for \`${field}\` below \`companies\`.`),
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
  }
});

test('Relay, which goes by the id alone, tells user 7 from comment 7', async () => {
  const warned = vi.spyOn(console, 'error').mockImplementation(() => {});
  const task = present(gateway.rest.data.tasks.find((row) => row.administration_id === ADMINISTRATION));
  task.assigned_to_user = { id: '7', name: 'Ada', email_address: 'ada@example.org' };
  task.comments = [{ id: '7', content: 'Called.', created_at: '2025-01-01T00:00:00Z' }];
  const client = relay();
  await client.request(
    parse(`mutation Unmark { unmarkTaskCompleted(input: { taskId: "${task.id}" }) {
      task { __typename id assignedToUser { __typename id internalId name } comments { __typename id internalId content } }
    } }`),
  );
  const seventh = client.records().filter((record) => record?.internalId === '7');
  expect(seventh.map((record) => record?.__typename).sort()).toEqual(['TaskComment', 'TaskUser']);
  expect(warned).not.toHaveBeenCalled();
});

function companyIn(data: unknown): object {
  const { companies } = Object(data);
  return companies.nodes.find(({ internalId }: { internalId: string }) => internalId === '101');
}
