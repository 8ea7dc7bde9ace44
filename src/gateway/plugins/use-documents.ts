import { OperationTypeNode } from 'graphql';
import { operationOf } from '../../execution/operation.ts';
import { badRequest, methodNotAllowed, notAcceptable } from '../../http/errors.ts';
import { EVENT_STREAM, SUBSCRIPTION_PARTS } from '../../http/negotiation.ts';
import type { GatewayPlugin } from '../../request/context.ts';
import { findOrRegister, findTrusted, parseBounded, validateBounded } from '../../request/documents.ts';
import { paramsOf } from '../../request/params.ts';
import type { GatewayState } from '../gateway-state.ts';
import { startEntry } from './use-operation.ts';

/** A GET can be triggered by a link or an image, so it must not have side effects. */
const SEND_BY_POST = methodNotAllowed('Send a mutation by POST.', 'POST');
const ASK_FOR_STREAM = notAcceptable(
  `A subscription is answered by a stream: send \`Accept: ${EVENT_STREAM}\`, or \`Accept: ${SUBSCRIPTION_PARTS}\`.`,
);
const SEND_ALONE = badRequest('A subscription cannot be one of an array: send it alone.');

/**
 * Hands on the parameters that `useOperation` has read, in place of Yoga's parsers, which take forms and echo what is not
 * JSON. Finds the document that they name, parses and validates it within limits, and chooses its operation. Each
 * operation of an array is read and begins here: what is wrong with it is an error in its place.
 */
export function useDocuments(state: GatewayState): GatewayPlugin {
  const { schema, documents, trustedDocuments, persisted } = state;
  return {
    onRequestParse({ serverContext: { params, array }, setRequestParser }) {
      setRequestParser(() => array?.entries.map(() => ({})) ?? params ?? {});
    },
    onParams({ params, context, setParams }) {
      const { array } = context;
      let found = params;
      if (array) {
        const entry = array.entries[array.contexts.length];
        array.contexts.push(context);
        startEntry(context, state);
        found = paramsOf(entry, 'An operation of the array');
      }
      const query = trustedDocuments
        ? findTrusted(trustedDocuments, found)
        : findOrRegister(persisted, found);
      if (query !== undefined && query !== found.query) setParams({ ...found, query });
      else if (found !== params) setParams(found);
    },
    onParse({ setParseFn }) {
      setParseFn(parseBounded);
      return ({ result, context }) => {
        if (result === null || result instanceof Error) return;
        const { params, streamType, array, request, observed } = context;
        try {
          const { operation } = operationOf(result, params.operationName);
          if (operation === OperationTypeNode.SUBSCRIPTION && streamType === undefined)
            throw array ? SEND_ALONE : ASK_FOR_STREAM;
          if (operation === OperationTypeNode.MUTATION && request.method === 'GET') throw SEND_BY_POST;
        } catch (error) {
          // Whatever is wrong with the operation, the errors of the document are told first.
          const errors = validateBounded(schema, result);
          if (errors.length > 0) throw new AggregateError(errors);
          observed.setDocument(result, params.operationName);
          throw error;
        }
      };
    },
    onValidate({ setValidationFn }) {
      setValidationFn((validated, document, rules) => {
        const errors = validateBounded(validated, document, rules);
        // Yoga would keep its errors as long as the document.
        if (errors.length > 0) documents.delete(document.loc?.source.body ?? '');
        return errors;
      });
    },
  };
}
