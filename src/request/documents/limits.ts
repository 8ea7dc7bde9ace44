import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type NameNode,
  parse,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  validate,
} from 'graphql';
import { copyOf } from '../../composite-key.ts';
import { tooExpensive } from '../../http/errors.ts';
import { withoutStack } from '../../rest/errors.ts';
import { isObject } from '../../rest/json.ts';
import { Hints, withoutStringToken } from './hints.ts';
import { measure, tooMany } from './measure.ts';

export const MAX_DOCUMENT_LENGTH = 64_000;
const MAX_TOKENS = 8_000;
/** Each error takes time to find and format. The rest is reported once the first ones are fixed. */
const MAX_ERRORS = 5;

/** Parses a document; throws if it would take too long to validate or execute. */
export function parseBounded(source: string): DocumentNode {
  return withoutStack(() => {
    if (source.length > MAX_DOCUMENT_LENGTH)
      throw tooExpensive(`The document is longer than ${MAX_DOCUMENT_LENGTH} characters.`, 413);
    const document = parseLimited(source);
    measure(document);
    if (source.includes('"')) copyLiterals(document);
    return document;
  });
}

/** V8 copies shorter texts itself. */
const MIN_PART_LENGTH = 13;

/** What is given as an argument may be kept, as part of a key, for longer than the document. `visit` takes five times as long. */
function copyLiterals(node: unknown): void {
  if (Array.isArray(node)) for (const item of node) copyLiterals(item);
  if (!isObject(node)) return;
  const { kind, value } = node;
  if (kind === Kind.STRING && typeof value === 'string' && value.length >= MIN_PART_LENGTH)
    Object.assign(node, { value: copyOf(value) });
  for (const member in node) if (member !== 'loc' && member !== 'name') copyLiterals(node[member]);
}

function parseLimited(source: string): DocumentNode {
  try {
    return parse(source, { maxTokens: MAX_TOKENS });
  } catch (error) {
    // Nested so deeply that the parser exceeded the call stack.
    if (error instanceof RangeError) throw tooMany();
    if (error instanceof GraphQLError && error.message.includes(`${MAX_TOKENS} tokens`)) {
      throw tooExpensive(`The document has more than ${MAX_TOKENS} tokens.`);
    }
    throw error instanceof GraphQLError ? withoutStringToken(error) : error;
  }
}

/** Returns the first errors of a document, and one more error if there are others. */
export function validateBounded(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[] = specifiedRules,
): readonly GraphQLError[] {
  const hints = new Hints();
  const errors = withoutStack(() =>
    validate(schema, document, [...rules, noProtoNames, hints.rule], { maxErrors: MAX_ERRORS }),
  );
  // If it finds too many errors, graphql-js appends one, whose message does not say what was left out.
  const last = errors.at(-1);
  if (last?.message === 'Validation aborted.')
    return [tooExpensive('The document takes too long to validate. Ask for less at a time.')];
  const shown = withoutStack(() => errors.slice(0, MAX_ERRORS).map((error) => hints.addTo(error)));
  if (errors.length > MAX_ERRORS)
    shown.push(new GraphQLError(`The document has more errors: the first ${MAX_ERRORS} are shown.`));
  for (const { extensions } of shown) extensions.code ??= 'GRAPHQL_VALIDATION_FAILED';
  return shown;
}

/**
 * Assigning `__proto__` sets the prototype and creates no property, so whether a response contained it would depend on
 * how its object was created. GraphQL reserves names with two leading underscores, so no sensible document uses it.
 */
function noProtoNames(context: ValidationContext): ASTVisitor {
  const check = (role: string, name: NameNode | undefined) => {
    if (name?.value !== '__proto__') return;
    context.reportError(new GraphQLError(`\`__proto__\` cannot be ${role}.`, { nodes: name }));
  };
  return {
    Field: ({ alias }) => check('an alias', alias),
    VariableDefinition: ({ variable }) => check('a variable', variable.name),
  };
}
