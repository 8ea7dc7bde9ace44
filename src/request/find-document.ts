import { type DocumentNode, type GraphQLSchema, OperationTypeNode, type ValidationRule } from 'graphql';
import type { LRUCache } from 'lru-cache';
import { getOperation } from '../execution/operation.ts';
import { badRequest, methodNotAllowed, notAcceptable } from '../http/errors.ts';
import { EVENT_STREAM, SUBSCRIPTION_PARTS } from '../http/negotiation.ts';
import type { OperationContext, OperationParams } from './context.ts';
import { findOrRegister, findTrusted, validateBounded } from './documents.ts';
import type { Exchange } from './exchange.ts';
import { paramsOf } from './params.ts';

/** A GET can be triggered by a link or an image, so it must not have side effects. */
const SEND_BY_POST = methodNotAllowed('Send a mutation by POST.', 'POST');
const ASK_FOR_STREAM = notAcceptable(
  `A subscription is answered by a stream: send \`Accept: ${EVENT_STREAM}\`, or \`Accept: ${SUBSCRIPTION_PARTS}\`.`,
);
const SEND_ALONE = badRequest('A subscription cannot be one of an array: send it alone.');

interface Documents {
  readonly schema: GraphQLSchema;
  /** Those that have been parsed. */
  readonly documents: LRUCache<string, DocumentNode>;
  readonly persisted: LRUCache<string, string>;
  readonly trustedDocuments?: ReadonlyMap<string, string> | undefined;
}

/** Adds the text of the document that an operation names. What is wrong with an entry of an array is its own error. */
export function findDocument(
  given: OperationParams,
  { arrayLength }: Exchange,
  { trustedDocuments, persisted }: Documents,
): OperationParams {
  const params = arrayLength === undefined ? given : paramsOf(given, 'An operation of the array');
  const query = trustedDocuments ? findTrusted(trustedDocuments, params) : findOrRegister(persisted, params);
  return query === undefined || query === params.query ? params : { ...params, query };
}

/** Throws if the operation of a document cannot be run, or not as it was sent. */
export function requireOperation(
  document: DocumentNode,
  { operation: { exchange, observed }, params, request }: OperationContext,
  { schema }: Documents,
): void {
  try {
    const { operation } = getOperation(document, params.operationName);
    if (operation === OperationTypeNode.SUBSCRIPTION && exchange.streamType === undefined)
      throw exchange.arrayLength === undefined ? ASK_FOR_STREAM : SEND_ALONE;
    if (operation === OperationTypeNode.MUTATION && request.method === 'GET') throw SEND_BY_POST;
  } catch (error) {
    // Whatever is wrong with the operation, the errors of the document are told first.
    const errors = validateBounded(schema, document);
    if (errors.length > 0) throw new AggregateError(errors);
    observed.setDocument(document, params.operationName);
    throw error;
  }
}

/** Validates within limits. */
export function createValidation({ documents }: Documents) {
  return (schema: GraphQLSchema, document: DocumentNode, rules?: readonly ValidationRule[]) => {
    const errors = validateBounded(schema, document, rules);
    // Yoga would keep its errors as long as the document.
    if (errors.length > 0) documents.delete(document.loc?.source.body ?? '');
    return errors;
  };
}
