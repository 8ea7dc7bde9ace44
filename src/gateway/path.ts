import type { ExecutionArgs } from 'graphql';
import { JSON_TYPE } from '../http/negotiation.ts';
import type { GatewayPlugin } from '../request/context.ts';
import { parseBounded, requireDocument } from '../request/documents.ts';
import { createValidation, findDocument, requireOperation } from '../request/find-document.ts';
import { checkHeaders } from '../request/params.ts';
import { receive } from '../request/receive.ts';
import { errorResponse } from '../response/json-response.ts';
import { completeResponse, respond } from '../response/respond.ts';
import { toResponse } from '../response/to-response.ts';
import { createOtherAnswers } from './answer-other.ts';
import { createCors } from './cors.ts';
import type { GatewayState } from './gateway-state.ts';
import { answerFault, createOpener } from './open-exchange.ts';
import { runOperation } from './run.ts';
import { subscribe } from './subscribe.ts';

/**
 * The path of a request, in numbered steps, around the plugins of users. An array repeats steps 4 to 7 for each of its
 * operations, at the same time. docs/design.md says what users would lose if Yoga did each of these itself.
 */
export function createPath(state: GatewayState): { before: GatewayPlugin; after: GatewayPlugin } {
  const hasGraphiql = state.routes.length > 0 && !state.trustedDocuments;
  const cors = createCors(state);
  const open = createOpener(state);
  const answerOther = createOtherAnswers(state, cors);
  const validate = createValidation(state);

  const before: GatewayPlugin = {
    // 1. Opens the exchange. Pages, preflights and other paths end here.
    onRequest(payload) {
      const { request, serverContext, endResponse, fetchAPI } = payload;
      const exchange = open(serverContext, request);
      // As most requests are.
      if (request.method === 'POST' && exchange.path === state.endpoint) return undefined;
      return answerFault(endResponse, payload, async () => {
        const page = await answerOther(request.method, exchange);
        if (page) endResponse(toResponse(page, exchange, fetchAPI));
      });
    },
    // 4. Starts the operation, and finds the document that it names.
    onParams({ params, context, setParams }) {
      const operation = context.exchange.startOperation();
      Object.assign(context, { operation, reads: operation });
      const found = findDocument(params, context.exchange, state);
      if (found !== params) setParams(found);
    },
    // 6. Parses and validates, unless Yoga has the document in its cache, and chooses the operation of the document.
    onParse({ setParseFn }) {
      setParseFn(parseBounded);
      return ({ result, context }) => {
        if (result !== null && !(result instanceof Error)) requireOperation(result, context, state);
      };
    },
    onValidate: ({ setValidationFn }) => setValidationFn(validate),
    // 7. Plans the operation, and runs it.
    onExecute({ context, args: { document, operationName }, setExecuteFn }) {
      context.operation.observed.setDocument(document, operationName);
      setExecuteFn((args: ExecutionArgs) => runOperation(args, context, state));
    },
    onSubscribe({ args: { contextValue: context, document, operationName }, setSubscribeFn }) {
      context.operation.observed.setDocument(document, operationName);
      setSubscribeFn((args: ExecutionArgs) => subscribe(args, context, state));
    },
    // 9. Lets pages of the allowed origins read the response.
    onResponse: ({ response, serverContext }) => cors.allow(response.headers, serverContext.exchange),
  };

  const after: GatewayPlugin = {
    // 2. Goes around all later steps: answers their faults, whose stack Yoga would send, and releases what they took.
    async onRequest({ request, serverContext, requestHandler, endResponse, fetchAPI }) {
      const { exchange } = serverContext;
      try {
        exchange.begin(request);
        endResponse(await requestHandler(request, serverContext));
      } catch (error) {
        endResponse(errorResponse(error, exchange, fetchAPI));
      } finally {
        if (!exchange.stream) exchange.end();
      }
    },
    // 3. Reads the body, and waits for a slot.
    onRequestParse({ request, serverContext: { exchange }, setRequestParser }) {
      checkHeaders(request.method, exchange.headers);
      setRequestParser((received) => receive(received, exchange, state));
    },
    // 5. Plugins of users may have found a document.
    onParams: ({ params }) => requireDocument(params, hasGraphiql),
    // 8. Writes the response.
    onResultProcess({ serverContext: { exchange }, setResultProcessor }) {
      setResultProcessor((result, fetchAPI) => respond(result, exchange, fetchAPI), JSON_TYPE);
    },
    // 9. Sets the other headers, whatever plugins of users have set.
    onResponse: ({ response, serverContext }) => completeResponse(response, serverContext.exchange),
  };
  return { before, after };
}
