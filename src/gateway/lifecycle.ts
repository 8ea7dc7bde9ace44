import type { ExecutionArgs } from 'graphql';
import { JSON_TYPE } from '../http/negotiation.ts';
import type { GatewayPlugin } from '../request/context.ts';
import { createValidation, parseWithLimits, requireOperation } from '../request/documents.ts';
import { findDocument, requireDocument } from '../request/find-document.ts';
import { checkHeaders } from '../request/params.ts';
import { receive } from '../request/receive.ts';
import type { GatewayState } from '../request/state.ts';
import { errorResponse } from '../response/json-response.ts';
import { completeResponse, respond } from '../response/respond.ts';
import { estimateOperation } from './estimate.ts';
import { createPathCheck, openExchange } from './open-exchange.ts';
import { runOperation } from './run.ts';
import { runSubscription } from './subscribe.ts';

type Hook<Name extends keyof GatewayPlugin> = NonNullable<GatewayPlugin[Name]>;

/**
 * Returns the steps of a request in the order in which Yoga runs them, as two plugins around those of users. An array of
 * operations runs steps 4 to 7 for each operation, in parallel. docs/design.md says what users would lose without a step.
 */
export function createLifecycle(state: GatewayState): { before: GatewayPlugin; after: GatewayPlugin } {
  const checkPath = createPathCheck(state);

  // 1. Opens the exchange.
  const open: Hook<'onRequest'> = ({ serverContext, request }) => openExchange(serverContext, request, state);

  // 2. Wraps all later steps: turns thrown errors into responses, without the stack that Yoga would send, and cleans up.
  const wrap: Hook<'onRequest'> = async (payload) => {
    const { request, serverContext, requestHandler, endResponse, fetchAPI } = payload;
    const { exchange } = serverContext;
    const notFound = checkPath(exchange.host.path);
    if (notFound) return endResponse(errorResponse(notFound, exchange, fetchAPI));
    try {
      endResponse(await requestHandler(request, serverContext));
    } catch (error) {
      endResponse(errorResponse(error, exchange, fetchAPI));
    } finally {
      if (!exchange.stream) exchange.end();
    }
  };

  // 3. Reads the body and waits for a slot.
  const read: Hook<'onRequestParse'> = ({ request, serverContext: { exchange }, setRequestParser }) => {
    checkHeaders(request.method, exchange.headers);
    setRequestParser(() => receive(request, exchange));
  };

  // 4. Starts the operation and finds a persisted document.
  const start: Hook<'onParams'> = ({ params, context, setParams }) => {
    const operation = context.exchange.startOperation();
    Object.assign(context, { operation, dataSource: operation.dataSource });
    setParams(findDocument(params, context.exchange, state));
  };

  // 5. Rejects an operation if neither the gateway nor a plugin has found its document.
  const checkDocument: Hook<'onParams'> = ({ params }) => requireDocument(params);

  // 6. Parses and validates a document unless Yoga has cached it, and checks that its operation can be run.
  const parse: Hook<'onParse'> = ({ setParseFn }) => {
    setParseFn(parseWithLimits);
    return ({ result, context }) => requireOperation(result, context, state);
  };
  const validate: Hook<'onValidate'> = ({ setValidationFn }) => setValidationFn(createValidation(state));

  // 7. Plans the operation, then runs or estimates it. Plugins may replace the function that runs it.
  const execute: Hook<'onExecute'> = ({ args, context, setExecuteFn, setResultAndStopExecution: end }) => {
    context.operation.observation.setDocument(args.document, args.operationName);
    if (context.exchange.isEstimate) return estimateOperation(args, context).then(end);
    return setExecuteFn((executionArgs: ExecutionArgs) => runOperation(executionArgs, context));
  };
  const subscribe: Hook<'onSubscribe'> = (payload) => {
    const { args, context, setSubscribeFn, setResultAndStopExecution: end } = payload;
    context.operation.observation.setDocument(args.document, args.operationName);
    if (context.exchange.isEstimate) return estimateOperation(args, context).then(end);
    return setSubscribeFn((executionArgs: ExecutionArgs) => runSubscription(executionArgs, context, state));
  };

  // 8. Writes the response.
  const write: Hook<'onResultProcess'> = ({ serverContext: { exchange }, setResultProcessor }) =>
    setResultProcessor((result, fetchAPI) => respond(result, exchange, fetchAPI), JSON_TYPE);

  // 9. Adds headers, also to the response of a plugin.
  const complete: Hook<'onResponse'> = ({ response, serverContext: { exchange } }) => {
    // Yoga responds to preflights before step 1.
    if (exchange) completeResponse(response, exchange);
  };

  const operationHooks = { onParse: parse, onValidate: validate, onExecute: execute, onSubscribe: subscribe };
  const before = { onRequest: open, onParams: start, ...operationHooks };
  const after = { onRequest: wrap, onRequestParse: read, onParams: checkDocument };
  return { before, after: { ...after, onResultProcess: write, onResponse: complete } };
}
