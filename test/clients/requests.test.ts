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

/** What that program is left with. */
interface Outcome {
  readonly data?: unknown;
  readonly error?: unknown;
}

type ErrorClass = new (...args: never[]) => Error;

interface Client {
  readonly name: string;
  request(request: ClientRequest): Promise<Outcome>;
  /** The errors of the answer, from where the client keeps them. */
  errorsIn(error: unknown): readonly { readonly extensions?: object | undefined }[] | undefined;
  /** The class of the error where the answer is GraphQL, whatever its HTTP status. */
  readonly graphqlError: ErrorClass;
  /** The class where an answer of `application/json` has a status that is no success. */
  readonly statusError: ErrorClass;
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
    graphqlError: CombinedGraphQLErrors,
    statusError: ServerError,
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
    graphqlError: CombinedError,
    statusError: CombinedError,
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
    graphqlError: ClientError,
    statusError: ClientError,
  },
];

const gateway = await useGateway();
const busy = await useGateway({ over: gateway.rest, handler: { maxOperations: 0 } });
const debtor = present(gateway.rest.data.debtors.find((row) => row.administration_id === ADMINISTRATION));
const message = present(gateway.rest.data.messages.find((row) => row.administration_id === ADMINISTRATION));

const RESPONSE_JSON = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';
const byNumber = (administration: string) =>
  `debtor(administrationId: "${administration}", by: { debtorNumber: "${debtor.debtor_number}" }) { name }`;
const LIST = `query List { debtors(administrationId: "${ADMINISTRATION}", first: 1) { nodes { name } } }`;
const WRITE = `mutation Write { updateMessages(
  input: { administrationId: "${ADMINISTRATION}", messages: [{ id: "${message.id}", read: false }] }
) { success count } }`;

describe.each(
  CLIENTS.flatMap((client) => [
    { ...client, type: RESPONSE_JSON, accept: {} },
    { ...client, type: JSON_TYPE, accept: { accept: JSON_TYPE } },
  ]),
)('$name, answered as $type', ({ request, errorsIn, graphqlError, type, accept, ...client }) => {
  const statusError = type === JSON_TYPE ? client.statusError : graphqlError;
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
      headers: { ...(options.headers ?? BEARER), ...accept },
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

  test('writes by POST, even where it reads by GET', async () => {
    const { data } = await ask(WRITE, { method: 'GET' });
    expect(data).toMatchObject({ updateMessages: { success: true, count: 1 } });
    expect(sent.map(({ method }) => method)).toEqual(['POST']);
    expect(gateway.calls()).toHaveLength(1);
  });

  const WRONG = type === RESPONSE_JSON ? 400 : 200;
  const BUSY = { url: busy.url };
  const PLAIN = { headers: { ...BEARER, 'content-type': 'text/plain' } };
  test.each<[string, string, Partial<ClientRequest>, string, number, ErrorClass]>([
    ['a field that there is not', '{ noSuchField }', {}, 'GRAPHQL_VALIDATION_FAILED', WRONG, graphqlError],
    [
      'variables that do not fit',
      'query ($id: ID!) { node(id: $id) { id } }',
      {},
      'BAD_USER_INPUT',
      400,
      statusError,
    ],
    ['a missing credential', LIST, { headers: {} }, 'UNAUTHENTICATED', 200, graphqlError],
    ['a refusal before GraphQL', LIST, PLAIN, 'UNSUPPORTED_MEDIA_TYPE', 415, statusError],
    ['a gateway that is busy', LIST, BUSY, 'OVERLOADED', 503, client.statusError],
  ])('gets the code of %s', async (_what, query, options, code, status, errorClass) => {
    const { error } = await ask(query, options);
    expect(error).toBeInstanceOf(errorClass);
    expect(errorsIn(error)).toMatchObject([{ extensions: { code } }]);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(gateway.calls()).toEqual([]);
  });

  test('gets the fields that could be read beside the error of the one that could not', async () => {
    const { data, error } = await ask(
      `{ own: ${byNumber(ADMINISTRATION)} foreign: ${byNumber(FOREIGN_ADMINISTRATION)} }`,
    );
    expect(data).toMatchObject({ own: { name: debtor.name }, foreign: null });
    expect(error).toBeInstanceOf(graphqlError);
    expect(errorsIn(error)).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});
