import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import { operationOf } from '../../execution/operation.ts';
import { badRequest, methodNotAllowed, notAcceptable } from '../../http/errors.ts';
import { EVENT_STREAM, SUBSCRIPTION_PARTS } from '../../http/negotiation.ts';
import type { GatewayPlugin } from '../../request/context.ts';
import { validateBounded } from '../../request/documents/limits.ts';

/** A GET can be triggered by a link or an image, so it must not have side effects. */
const SEND_BY_POST = methodNotAllowed('Send a mutation by POST.', 'POST');
const ASK_FOR_STREAM = notAcceptable(
  `A subscription is answered by a stream: send \`Accept: ${EVENT_STREAM}\`, or \`Accept: ${SUBSCRIPTION_PARTS}\`.`,
);
const SEND_ALONE = badRequest('A subscription cannot be one of an array: send it alone.');

/**
 * Finds the operation that is asked for, and tells telemetry of a valid one. That comes before the validation, so
 * whatever is wrong here, the errors of the document are told first.
 */
export function useChosenOperation(schema: GraphQLSchema): GatewayPlugin {
  return {
    onParse() {
      return ({ result, context }) => {
        if (result === null || result instanceof Error) return;
        try {
          const { operation } = operationOf(result, context.params.operationName);
          if (operation === OperationTypeNode.SUBSCRIPTION && context.streamType === undefined)
            throw context.array ? SEND_ALONE : ASK_FOR_STREAM;
          if (operation === OperationTypeNode.MUTATION && context.request.method === 'GET')
            throw SEND_BY_POST;
        } catch (error) {
          const errors = validateBounded(schema, result);
          if (errors.length > 0) throw new AggregateError(errors);
          context.observed.setDocument(result, context.params.operationName);
          throw error;
        }
      };
    },
    onValidate({ params: { documentAST } }) {
      return ({ valid, context }) => {
        if (valid) context.observed.setDocument(documentAST, context.params.operationName);
      };
    },
  };
}
