import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
  visit,
} from 'graphql';
import { copyString } from '../composite-key.ts';
import { getOperation } from '../execution/operation.ts';
import { withValuesRule } from '../graphql-version.ts';
import { hintRule } from '../hints.ts';
import { badRequest, methodNotAllowed, notAcceptable, tooExpensive } from '../http/errors.ts';
import { EVENT_STREAM, SUBSCRIPTION_PARTS } from '../http/negotiation.ts';
import { getOrCreate } from '../memoize.ts';
import { withoutStack } from '../rest/errors.ts';
import type { OperationContext } from './context.ts';
import type { GatewayState } from './state.ts';

export const MAX_DOCUMENT_LENGTH = 64_000;
const MAX_TOKENS = 8_000;
const MAX_LEVELS = 20;
const MAX_FRAGMENTS = 50;
/** Limits over all operations of a document; a fragment counts each time it is spread. */
const LIMITS = {
  nodes: 10_000,
  fields: 1_500,
  // V8 is slow to create rows with a thousand members.
  aliases: 200,
  // Each may return the whole schema.
  'fields `__schema` and `__type`': 5,
  // Validation compares each pair of fields that are merged.
  'comparisons of repeated fields': 100_000,
};
const INVALID = 'GRAPHQL_VALIDATION_FAILED';
const NO_PROTO = '`__proto__` cannot be a name in a document.';
/** Finding and formatting each error takes time. */
const MAX_ERRORS = 5;

/** Parses a document; throws if it would take too long to validate or execute. */
export function parseWithLimits(source: string): DocumentNode {
  if (source.length > MAX_DOCUMENT_LENGTH)
    throw tooExpensive(`The document is longer than ${MAX_DOCUMENT_LENGTH} characters.`, 413);
  return withoutStack(() => {
    try {
      const document = parse(source, { maxTokens: MAX_TOKENS });
      checkLimits(document);
      return document;
    } catch (error) {
      // The document is nested so deeply that the parser exceeded the call stack.
      if (error instanceof RangeError) throw tooMany(MAX_LEVELS, 'levels');
      if (!(error instanceof GraphQLError) || !error.message.startsWith('Syntax Error')) throw error;
      if (error.message.includes(`${MAX_TOKENS} tokens`)) throw tooMany(MAX_TOKENS, 'tokens');
      // A string in the message may be a secret.
      const message = error.message.replace(/ (String|BlockString) ".*"/s, ' $1');
      throw new GraphQLError(message, { source: error.source, positions: error.positions });
    }
  });
}

function tooMany(most: number, limit: string): GraphQLError {
  return tooExpensive(`The document has more than ${most} ${limit}. Ask for less at a time.`);
}

/** The fields with one response key, which are merged. */
interface MergedField {
  count: number;
  readonly fields: Map<string, MergedField>;
  readonly parent: MergedField | undefined;
}

/** Enforces the limits that graphql-js lacks. A fragment is visited, and counted, wherever it is spread. */
function checkLimits({ definitions }: DocumentNode): void {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  if (fragments.length > MAX_FRAGMENTS) throw tooMany(MAX_FRAGMENTS, 'fragments');
  const named = new Map(fragments.map((node) => [node.name.value, node]));
  const counts: { [limit in keyof typeof LIMITS]?: number } = {};
  /** Fragments that are spread, and whether the visitor is inside one. */
  const spread = new Map<ASTNode, boolean>();
  let level = 0;
  let mergedField: MergedField = { count: 0, fields: new Map(), parent: undefined };

  function count(limit: keyof typeof LIMITS, increment = 1): void {
    const sum = (counts[limit] ?? 0) + increment;
    if (sum > LIMITS[limit]) throw tooMany(LIMITS[limit], limit);
    counts[limit] = sum;
  }

  function enter(node: ASTNode): void {
    count('nodes');
    level += LEVELS[node.kind] ?? 0;
    if (level > MAX_LEVELS) throw tooMany(MAX_LEVELS, 'levels');
    if (node.kind === Kind.FIELD) {
      count('fields');
      if (node.alias) count('aliases');
      if (['__schema', '__type'].includes(node.name.value)) count('fields `__schema` and `__type`');
      const parent = mergedField;
      const create = () => ({ count: 0, fields: new Map(), parent });
      mergedField = getOrCreate(parent.fields, (node.alias ?? node.name).value, create);
      count('comparisons of repeated fields', mergedField.count);
      mergedField.count += 1;
    }
    // Assigning this member would set a prototype. GraphQL reserves such names.
    if (node.kind === Kind.NAME && node.value === '__proto__')
      throw new GraphQLError(NO_PROTO, { nodes: node, extensions: { code: INVALID } });
    // V8's slice would keep the whole document, and a cache key may keep the slice. V8 copies shorter texts itself.
    if (node.kind === Kind.STRING && node.value.length > 12)
      Object.assign(node, { value: copyString(node.value) });
    const fragment = node.kind === Kind.FRAGMENT_SPREAD && named.get(node.name.value);
    // Validation reports a fragment that spreads itself.
    if (!fragment || spread.get(fragment)) return;
    spread.set(fragment, true);
    visit(fragment, { enter, leave });
    spread.set(fragment, false);
  }

  function leave(node: ASTNode): void {
    level -= LEVELS[node.kind] ?? 0;
    if (node.kind === Kind.FIELD) mergedField = mergedField.parent ?? mergedField;
  }

  for (const node of definitions) if (node.kind !== Kind.FRAGMENT_DEFINITION) visit(node, { enter, leave });
  // Unused fragments are validated too.
  for (const node of fragments) if (!spread.has(node)) visit(node, { enter, leave });
}

const LEVELS: { readonly [kind: string]: number } = {
  [Kind.SELECTION_SET]: 1,
  // An inline fragment adds no level to the result, but unlimited nesting would exceed the call stack.
  [Kind.INLINE_FRAGMENT]: -0.8,
  // The selection set of the fragment adds the level.
  [Kind.FRAGMENT_SPREAD]: -1,
  [Kind.LIST]: 1,
  [Kind.OBJECT]: 1,
};

/** Returns the first errors of a document, and a last one if there are more. */
export function validateWithLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[] = specifiedRules,
): readonly GraphQLError[] {
  const options = { maxErrors: MAX_ERRORS };
  const errors = withoutStack(() => [
    ...validate(schema, document, [hintRule, ...withValuesRule(rules)], options),
  ]);
  // `validate` adds this error if it takes too long.
  if (errors.at(-1)?.message === 'Validation aborted.')
    return [tooExpensive('The document takes too long to validate. Ask for less at a time.')];
  if (errors.length > MAX_ERRORS)
    errors[MAX_ERRORS] = new GraphQLError(`The document has more errors: the first ${MAX_ERRORS} are shown.`);
  for (const { extensions } of errors) extensions.code ??= INVALID;
  return errors;
}

/** A link or an image can trigger a GET, so it must not have side effects. */
const SEND_BY_POST = methodNotAllowed('Send mutations with POST.', 'POST');
const ASK_FOR_STREAM = notAcceptable(
  `The response to a subscription is a stream. Send \`Accept: ${EVENT_STREAM}\`, or \`Accept: ${SUBSCRIPTION_PARTS}\`.`,
);
const SEND_ALONE = badRequest('Subscriptions cannot be batched. Send this one alone.');

/** Throws if the operation of a parsed document cannot be run as it was sent. */
export function requireOperation(
  document: DocumentNode | Error | null,
  { exchange, operation: { observation }, params, request }: OperationContext,
  { schema }: GatewayState,
): void {
  if (document === null || document instanceof Error) return;
  try {
    const { operation } = getOperation(document, params.operationName);
    const { kind } = exchange.responseForm;
    if (operation === OperationTypeNode.SUBSCRIPTION && kind !== 'stream')
      throw kind === 'array' ? SEND_ALONE : ASK_FOR_STREAM;
    if (operation === OperationTypeNode.MUTATION && request.method === 'GET') throw SEND_BY_POST;
  } catch (error) {
    // Report the errors of the document first.
    const errors = validateWithLimits(schema, document);
    if (errors.length > 0) throw new AggregateError(errors);
    observation.setDocument(document, params.operationName);
    throw error;
  }
}

export function createValidation({ documents }: GatewayState) {
  return (schema: GraphQLSchema, document: DocumentNode, rules?: readonly ValidationRule[]) => {
    const errors = validateWithLimits(schema, document, rules);
    // Yoga would cache the errors with the document.
    if (errors.length > 0) documents.delete(document.loc?.source.body ?? '');
    return errors;
  };
}
