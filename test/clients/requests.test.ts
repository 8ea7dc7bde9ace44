import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { isMutationOperation } from '@apollo/client/utilities';
import { CombinedError, fetchExchange, Client as UrqlClient } from '@urql/core';
import { type DocumentNode, parse } from 'graphql';
import { ClientError, GraphQLClient } from 'graphql-request';
import { beforeEach, describe, expect, test } from 'vitest';
import { ADMINISTRATION, BEARER, FOREIGN_ADMINISTRATION, useGateway } from '../support/gateway.ts';
import { present } from '../support/present.ts';

/** One request, as a program that uses the client would make it. */
interface ClientRequest {
  readonly url: string;
  readonly document: DocumentNode;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: 'GET' | 'POST';
  readonly fetch: typeof fetch;
}

interface Outcome {
  readonly data?: unknown;
  readonly error?: unknown;
}

interface Client {
  readonly name: string;
  request(request: ClientRequest): Promise<Outcome>;
  /** The errors of the answer, from where the client keeps them. */
  errorsIn(error: unknown): readonly { readonly extensions?: object | undefined }[] | undefined;
}

const CLIENTS: readonly Client[] = [
  {
    name: 'Apollo Client',
    request({ url, document, headers, method, fetch }) {
      const link = new HttpLink({ uri: url, headers, fetch, useGETForQueries: method === 'GET' });
      const client = new ApolloClient({ link, cache: new InMemoryCache() });
      return isMutationOperation(document)
        ? client.mutate({ mutation: document, errorPolicy: 'all' })
        : client.query({ query: document, errorPolicy: 'all' });
    },
    errorsIn(error) {
      if (CombinedGraphQLErrors.is(error)) return error.errors;
      return ServerError.is(error) ? JSON.parse(error.bodyText).errors : undefined;
    },
  },
  {
    name: 'urql',
    request({ url, document, headers, method, fetch }) {
      const client = new UrqlClient({
        url,
        exchanges: [fetchExchange],
        fetch,
        fetchOptions: { headers },
        preferGetMethod: method === 'GET',
      });
      const run = isMutationOperation(document) ? client.mutation : client.query;
      return run.call(client, document, {}).toPromise();
    },
    errorsIn: (error) => (error instanceof CombinedError ? error.graphQLErrors : undefined),
  },
  {
    name: 'graphql-request',
    async request({ url, document, headers, method, fetch }) {
      const client = new GraphQLClient(url, { headers, method, fetch });
      try {
        return { data: await client.request(document) };
      } catch (error) {
        return { error, ...(error instanceof ClientError && { data: error.response.data }) };
      }
    },
    errorsIn: (error) => (error instanceof ClientError ? error.response.errors : undefined),
  },
];

const gateway = await useGateway();
const busy = await useGateway({ over: gateway.rest, handler: { maxOperations: 0 } });
const debtor = present(gateway.rest.data.debtors.find((row) => row.administration_id === ADMINISTRATION));
const message = present(gateway.rest.data.messages.find((row) => row.administration_id === ADMINISTRATION));

const byNumber = (administration: string) =>
  `debtor(administrationId: "${administration}", by: { debtorNumber: "${debtor.debtor_number}" }) { name }`;
const LIST = `query List { debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }`;
const WRITE = `mutation Write { updateMessages(
  input: { administrationId: "${ADMINISTRATION}", messages: [{ id: "${message.id}", read: false }] }
) { success count } }`;

describe.each(
  CLIENTS.flatMap((client) =>
    ['graphql-response+json', 'json'].map((type) => ({ ...client, type: `application/${type}` })),
  ),
)('$name, with responses of $type,', ({ request, errorsIn, type }) => {
  const answers: Response[] = [];
  const sent: Request[] = [];
  beforeEach(() => {
    answers.length = 0;
    sent.length = 0;
  });

  function ask(query: string, options: Partial<ClientRequest> = {}): Promise<Outcome> {
    return request({
      url: gateway.url,
      document: parse(query),
      method: 'POST',
      async fetch(...parameters) {
        sent.push(new Request(...parameters));
        const answer = await fetch(...parameters);
        answers.push(answer);
        return answer;
      },
      ...options,
      headers: { ...(options.headers ?? BEARER), accept: type },
    });
  }

  test.each(['POST', 'GET'] as const)('reads by %s', async (method) => {
    const { data, error } = await ask(LIST, { method });
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ debtors: { nodes: [{ name: debtor.name }] } });
    expect(sent.map((request) => request.method)).toEqual([method]);
    expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
      [200, `${type}; charset=utf-8`],
    ]);
    expect(gateway.calls()).toHaveLength(1);
  });

  test('writes by POST, even if it reads by GET', async () => {
    const { data } = await ask(WRITE, { method: 'GET' });
    expect(data).toMatchObject({ updateMessages: { success: true, count: 1 } });
    expect(sent.map(({ method }) => method)).toEqual(['POST']);
    expect(gateway.calls()).toHaveLength(1);
  });

  const WRONG = type === 'application/json' ? 200 : 400;
  const BUSY = { url: busy.url };
  const PLAIN = { headers: { ...BEARER, 'content-type': 'text/plain' } };
  const WITHOUT = 'query ($id: ID!) { node(id: $id) { id } }';
  test.each<[string, string, Partial<ClientRequest>, string, number]>([
    ['an unknown field', '{ noSuchField }', {}, 'GRAPHQL_VALIDATION_FAILED', WRONG],
    ['invalid variables', WITHOUT, {}, 'BAD_USER_INPUT', 400],
    ['a missing credential', LIST, { headers: {} }, 'UNAUTHENTICATED', 200],
    ['a rejection before GraphQL', LIST, PLAIN, 'UNSUPPORTED_MEDIA_TYPE', 415],
    ['a gateway that is busy', LIST, BUSY, 'OVERLOADED', 503],
  ])('gets the code of %s', async (_what, query, options, code, status) => {
    const { error } = await ask(query, options);
    expect(errorsIn(error)).toMatchObject([{ extensions: { code } }]);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(gateway.calls()).toEqual([]);
  });

  test('gets the fields that could be read and the error of the field that could not', async () => {
    const { data, error } = await ask(
      `{ own: ${byNumber(ADMINISTRATION)} foreign: ${byNumber(FOREIGN_ADMINISTRATION)} }`,
    );
    expect(data).toMatchObject({ own: { name: debtor.name }, foreign: null });
    expect(errorsIn(error)).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});
