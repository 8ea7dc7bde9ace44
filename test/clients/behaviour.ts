import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, parse } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import { graphql } from '../generated/index.ts';
import {
  ADMINISTRATION,
  BEARER,
  FOREIGN_ADMINISTRATION,
  startGateway,
  useGateway,
} from '../support/gateway.ts';

/** One request, as a program that uses the client would make it. */
export interface ClientRequest {
  readonly url: string;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: 'GET' | 'POST';
  readonly fetch: typeof fetch;
}

/** What that program is left with. */
export interface Outcome {
  readonly data?: unknown;
  readonly error?: unknown;
}

interface CodedError {
  readonly extensions?: { readonly [name: string]: unknown } | undefined;
}

export interface Client {
  request(request: ClientRequest): Promise<Outcome>;
  /** The errors of the answer, from where the client keeps them. */
  errorsIn(error: unknown): readonly CodedError[] | undefined;
  /** The class of the error where the answer is GraphQL, whatever its HTTP status. */
  readonly graphqlError: new (
    ...args: never[]
  ) => Error;
  /** The class where an answer of `application/json` has a status that is no success. */
  readonly statusError: new (
    ...args: never[]
  ) => Error;
}

const RESPONSE_JSON = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';

const FirstDebtor = graphql(`
  query FirstDebtor($administrationId: ID!) {
    debtors(administrationId: $administrationId, first: 1) { nodes { name } }
  }
`);

const OwnAndForeignDebtor = graphql(`
  query OwnAndForeignDebtor($own: ID!, $foreign: ID!, $debtorNumber: String!) {
    own: debtor(administrationId: $own, by: { debtorNumber: $debtorNumber }) { name }
    foreign: debtor(administrationId: $foreign, by: { debtorNumber: $debtorNumber }) { name }
  }
`);

const MarkAsRead = graphql(`
  mutation MarkAsRead($input: UpdateMessagesInput!) {
    updateMessages(input: $input) { success count }
  }
`);

const own = { administrationId: ADMINISTRATION };

/** What must hold for every client that speaks GraphQL over HTTP. */
export function describeClient(name: string, client: Client): void {
  describe.each([
    ['as it comes', undefined, RESPONSE_JSON],
    [`with Accept: ${RESPONSE_JSON}`, RESPONSE_JSON, RESPONSE_JSON],
    [`with Accept: ${JSON_TYPE}`, JSON_TYPE, JSON_TYPE],
  ])(`${name} %s`, async (_, accept, contentType) => {
    const gateway = await useGateway();
    const [debtor] = gateway.rest.data.debtors.filter((row) => row.administration_id === ADMINISTRATION);
    const statusError = contentType === JSON_TYPE ? client.statusError : client.graphqlError;
    const answers: Response[] = [];
    const sent: Request[] = [];
    beforeEach(() => {
      answers.length = 0;
      sent.length = 0;
    });

    function request<Variables extends Record<string, unknown>>(
      document: TypedDocumentNode<unknown, Variables>,
      variables: Variables,
      { headers = BEARER, ...rest }: Partial<Pick<ClientRequest, 'url' | 'headers' | 'method'>> = {},
    ): Promise<Outcome> {
      return client.request({
        url: gateway.url,
        document,
        variables,
        headers: { ...headers, ...(accept && { accept }) },
        method: 'POST',
        async fetch(...parameters) {
          sent.push(new Request(...parameters));
          const answer = await fetch(...parameters);
          answers.push(answer);
          return answer;
        },
        ...rest,
      });
    }

    function codesIn(error: unknown): unknown[] | undefined {
      return client.errorsIn(error)?.map(({ extensions }) => extensions?.code);
    }

    /** How the one answer came over the wire. */
    function expectAnswer(status: number, type = contentType): void {
      expect(answers.map((answer) => [answer.status, answer.headers.get('content-type')])).toEqual([
        [status, `${type}; charset=utf-8`],
      ]);
    }

    test.each(['POST', 'GET'] as const)('reads by %s', async (method) => {
      const { data, error } = await request(FirstDebtor, own, { method });
      expect(error).toBeUndefined();
      expect(data).toMatchObject({ debtors: { nodes: [{ name: debtor?.name }] } });
      expect(sent.map((message) => message.method)).toEqual([method]);
      expectAnswer(200);
      expect(gateway.calls()).toMatchObject([
        { call: 'GET /v1/debtors', only: ['id', 'administration_id', 'name'] },
      ]);
    });

    test('writes by POST, even where it reads by GET', async () => {
      const message = gateway.rest.data.messages.find((row) => row.administration_id === ADMINISTRATION);
      const messages = [{ id: message?.id ?? '', read: false }];
      const { data } = await request(MarkAsRead, { input: { ...own, messages } }, { method: 'GET' });
      expect(data).toMatchObject({ updateMessages: { success: true, count: 1 } });
      expect(sent.map(({ method }) => method)).toEqual(['POST']);
      expect(gateway.calls()).toEqual([
        { call: 'PATCH /v1/messages', body: { administration_id: ADMINISTRATION, messages } },
      ]);
    });

    test('gets the code of a field that the schema does not have', async () => {
      const { data, error } = await request(parse('{ noSuchField }'), {});
      expect(data ?? null).toBeNull();
      expect(error).toBeInstanceOf(client.graphqlError);
      expect(codesIn(error)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
      expectAnswer(contentType === RESPONSE_JSON ? 400 : 200);
    });

    test('gets the code of variables that do not fit', async () => {
      const { error } = await request(parse('query ($id: ID!) { administration(id: $id) { id } }'), {});
      expect(error).toBeInstanceOf(statusError);
      expect(codesIn(error)).toEqual(['BAD_USER_INPUT']);
      expectAnswer(400);
      expect(gateway.calls()).toEqual([]);
    });

    test('gets the fields that could be read beside the error of the one that could not', async () => {
      const debtorNumber = debtor?.debtor_number ?? '';
      const { data, error } = await request(OwnAndForeignDebtor, {
        own: ADMINISTRATION,
        foreign: FOREIGN_ADMINISTRATION,
        debtorNumber,
      });
      expect(data).toMatchObject({ own: { name: debtor?.name }, foreign: null });
      expect(error).toBeInstanceOf(client.graphqlError);
      expect(codesIn(error)).toEqual(['FORBIDDEN']);
      expectAnswer(200);
    });

    test('gets the code of a missing credential', async () => {
      const { error } = await request(FirstDebtor, own, { headers: {} });
      expect(error).toBeInstanceOf(client.graphqlError);
      expect(codesIn(error)).toEqual(['UNAUTHENTICATED']);
      expectAnswer(200);
      expect(gateway.calls()).toEqual([]);
    });

    test('gets the code of a refusal that comes before GraphQL', async () => {
      const headers = { ...BEARER, 'content-type': 'text/plain' };
      const { error } = await request(FirstDebtor, own, { headers });
      expect(error).toBeInstanceOf(statusError);
      expect(codesIn(error)).toEqual(['UNSUPPORTED_MEDIA_TYPE']);
      expectAnswer(415);
    });

    test('gets the code of a gateway that has too much to do', async () => {
      const busy = await startGateway({ handler: { maxOperations: 0 } });
      const { error } = await request(FirstDebtor, own, { url: busy.url });
      expect(error).toBeInstanceOf(client.statusError);
      expect(codesIn(error)).toEqual(['OVERLOADED']);
      expectAnswer(503, JSON_TYPE);
      await busy.close();
    });
  });
}
