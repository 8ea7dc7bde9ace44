import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql';
import { tooExpensive } from '../errors.ts';
import { withoutLiterals, withoutStringToken } from './literals.ts';
import { checkSize, type Fragments } from './measure.ts';
import { checkOverlaps } from './overlaps.ts';
import { noProtoNames } from './reserved-names.ts';
import { tooMany } from './size.ts';

const MAX_DOCUMENT_LENGTH = 64_000;
const MAX_TOKENS = 8_000;
/** Validation compares fragments with each other, so that its time grows with their square. */
const MAX_FRAGMENTS = 50;
/** Each error takes time to find and to word; who has mended the first ones is shown the next. */
const MAX_ERRORS = 5;

/** Parses a document, and refuses one that would take long to validate or to run. */
export function parseBounded(source: string): DocumentNode {
  if (source.length > MAX_DOCUMENT_LENGTH) {
    throw tooExpensive(`The document is longer than ${MAX_DOCUMENT_LENGTH} characters.`, 413);
  }
  const document = parseTokens(source);
  const fragments = fragmentsOf(document);
  checkSize(document, fragments);
  checkOverlaps(
    document.definitions.flatMap((node) => ('selectionSet' in node ? node.selectionSet : [])),
    fragments,
  );
  return document;
}

function parseTokens(source: string): DocumentNode {
  try {
    return parse(source, { maxTokens: MAX_TOKENS });
  } catch (error) {
    // Nested so deep that the parser ran out of stack.
    if (error instanceof RangeError) throw tooMany('levels');
    if (error instanceof GraphQLError && error.message.includes(`${MAX_TOKENS} tokens`)) {
      throw tooExpensive(`The document has more than ${MAX_TOKENS} tokens.`);
    }
    throw error instanceof GraphQLError ? withoutStringToken(error) : error;
  }
}

/** By name; those that share one count as well, until validation refuses them. */
function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  let count = 0;
  for (const definition of definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    fragments.set(definition.name.value, definition);
    count += 1;
  }
  if (count > MAX_FRAGMENTS) throw tooExpensive(`The document has more than ${MAX_FRAGMENTS} fragments.`);
  return fragments;
}

/** The first errors of a document, and whether there are more. */
export function validateBounded(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[] = specifiedRules,
): readonly GraphQLError[] {
  const errors = validate(schema, document, [...rules, noProtoNames], { maxErrors: MAX_ERRORS });
  // Validation ends with an error of its own, in words that do not say what was left out.
  const last = errors.at(-1);
  if (last?.message === 'Validation aborted.')
    return [tooExpensive('The document takes too long to validate. Ask for less at a time.')];
  if (errors.length <= MAX_ERRORS) return errors.map(withoutLiterals);
  const more = `The document has more errors: the first ${MAX_ERRORS} are shown.`;
  return [...errors.slice(0, MAX_ERRORS).map(withoutLiterals), new GraphQLError(more)];
}
