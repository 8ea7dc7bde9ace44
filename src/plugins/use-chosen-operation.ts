import { OperationTypeNode } from 'graphql';
import { operationOf } from '../execution/operation.ts';
import { badRequest, RequestError } from '../http/request-error.ts';
import type { GatewayPlugin } from './context.ts';

/** A GET can be triggered by a link or an image, so it must not have side effects. */
const SEND_BY_POST = new RequestError(405, 'METHOD_NOT_ALLOWED', 'Send a mutation by POST.', {
  allow: 'POST',
});
const NO_SUBSCRIPTIONS = badRequest('There are no subscriptions.');

/**
 * Finds the operation of the document that is asked for, and tells telemetry of a valid one. It stands before Yoga's own
 * check of mutations by GET, whose errors do not say which operations there are.
 */
export function useChosenOperation(): GatewayPlugin {
  return {
    onParse() {
      return ({ result, context: { params, request, observed } }) => {
        if (result === null || result instanceof Error) return;
        const { operation } = operationOf(result, params.operationName);
        if (operation === OperationTypeNode.SUBSCRIPTION) throw NO_SUBSCRIPTIONS;
        if (operation !== OperationTypeNode.MUTATION || request.method !== 'GET') return;
        observed.setDocument(result, params.operationName);
        throw SEND_BY_POST;
      };
    },
    onValidate({ params: { documentAST } }) {
      return ({ valid, context: { params, observed } }) => {
        if (valid) observed.setDocument(documentAST, params.operationName);
      };
    },
  };
}
