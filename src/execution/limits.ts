import {
  type DocumentNode,
  GraphQLError,
  Kind,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

const LONGEST_DOCUMENT = 64_000;
const MOST_TOKENS = 8_000;
/** Validation compares fragments with each other, so that its time grows with their square. */
const MOST_FRAGMENTS = 50;

/** How much there is in a document, with each fragment counted as often as it is spread. */
interface Size {
  readonly levels: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
}

/** An inline fragment adds nothing to an answer, but without end it would exhaust the stack. */
const INLINE_LEVEL = 0.2;

const NOTHING: Size = { levels: 0, fields: 0, aliases: 0, directives: 0 };
const MOST: Size = { levels: 20, fields: 1_500, aliases: 200, directives: 200 };

/** Parses a document, and refuses one that would take long to validate or to run. */
export function parseBounded(source: string): DocumentNode {
  if (source.length > LONGEST_DOCUMENT) {
    throw refusal(`The document is longer than ${LONGEST_DOCUMENT} characters.`, 413);
  }
  const document = parseTokens(source);
  checkSize(document);
  return document;
}

function parseTokens(source: string): DocumentNode {
  try {
    return parse(source, { maxTokens: MOST_TOKENS });
  } catch (error) {
    // Nested so deep that the parser ran out of stack.
    if (error instanceof RangeError) throw tooMany('levels');
    if (error instanceof GraphQLError && error.message.includes(`${MOST_TOKENS} tokens`)) {
      throw refusal(`The document has more than ${MOST_TOKENS} tokens.`);
    }
    throw error;
  }
}

/** Each fragment is measured once however often it is spread, so a bomb of them is found without going off. */
function checkSize(document: DocumentNode): void {
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition.selectionSet);
  }
  if (fragments.size > MOST_FRAGMENTS)
    throw refusal(`The document has more than ${MOST_FRAGMENTS} fragments.`);
  const measured = new Map<string, Size>();

  function ofFragment(name: string, level: number): Size {
    const known = measured.get(name);
    if (known) return known;
    const set = fragments.get(name);
    // Whatever spreads itself is refused by validation: until then it counts for nothing.
    measured.set(name, NOTHING);
    const size = set ? ofSet(set, level) : NOTHING;
    measured.set(name, size);
    return size;
  }

  function ofSet(set: SelectionSetNode, level: number): Size {
    if (level > MOST.levels) throw tooMany('levels');
    return set.selections.reduce((sum, node) => within(add(sum, ofNode(node, level))), NOTHING);
  }

  function ofNode(node: SelectionNode, level: number): Size {
    const directives = node.directives?.length ?? 0;
    if (node.kind === Kind.FIELD) for (const { value } of node.arguments ?? []) checkValue(value, level);
    for (const directive of node.directives ?? []) {
      for (const { value } of directive.arguments ?? []) checkValue(value, level);
    }
    if (node.kind === Kind.FRAGMENT_SPREAD)
      return add({ ...NOTHING, directives }, ofFragment(node.name.value, level));
    if (node.kind === Kind.INLINE_FRAGMENT)
      return add({ ...NOTHING, directives }, ofSet(node.selectionSet, level + INLINE_LEVEL));
    const inside = node.selectionSet ? ofSet(node.selectionSet, level + 1) : NOTHING;
    const field = { levels: inside.levels + 1, fields: 1, aliases: node.alias ? 1 : 0, directives };
    return add(field, { ...inside, levels: 0 });
  }

  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      for (const { defaultValue } of definition.variableDefinitions ?? []) {
        if (defaultValue) checkValue(defaultValue, 1);
      }
      ofSet(definition.selectionSet, 1);
    }
    if (definition.kind === Kind.FRAGMENT_DEFINITION) ofFragment(definition.name.value, 1);
  }
}

function checkValue(value: ValueNode, level: number): void {
  if (level > MOST.levels) throw tooMany('levels');
  if (value.kind === Kind.LIST) for (const item of value.values) checkValue(item, level + 1);
  if (value.kind === Kind.OBJECT) for (const member of value.fields) checkValue(member.value, level + 1);
}

function add(a: Size, b: Size): Size {
  return {
    levels: Math.max(a.levels, b.levels),
    fields: a.fields + b.fields,
    aliases: a.aliases + b.aliases,
    directives: a.directives + b.directives,
  };
}

function within(size: Size): Size {
  if (size.levels > MOST.levels) throw tooMany('levels');
  if (size.fields > MOST.fields) throw tooMany('fields');
  if (size.aliases > MOST.aliases) throw tooMany('aliases');
  if (size.directives > MOST.directives) throw tooMany('directives');
  return size;
}

function tooMany(what: keyof Size): GraphQLError {
  return refusal(`The document has more than ${MOST[what]} ${what}. Ask for less at a time.`);
}

function refusal(message: string, status = 400): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'OPERATION_TOO_EXPENSIVE', http: { status } } });
}
