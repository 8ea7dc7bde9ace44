import {
  type ASTNode,
  GraphQLError,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isValueNode,
  Kind,
  TypeNameMetaFieldDef,
  type ValidationRule,
  valueFromASTUntyped,
} from 'graphql';
import { type InputPath, placeInInput } from './graphql-version.ts';

const SCALAR_WORDS: { readonly [type: string]: string } = {
  Int: 'an Int: a whole number up to 2147483647, without quotes',
  Boolean: 'a Boolean: true or false, without quotes',
  String: 'a String: text in double quotes',
  ID: 'an ID: text in double quotes, or a whole number',
  Amount: 'an Amount as text, with a point and without thousands separators, such as "1000.50"',
  DateTime:
    'a DateTime: ISO 8601 with an offset, such as 2024-05-01T00:00:00Z or 2024-05-01T02:00:00+02:00, and at most ' +
    'nine digits of a second',
};
/** Of the others, a text. */
const EXAMPLES: typeof SCALAR_WORDS = { Int: '5', Boolean: 'true' };
/** Of a longer enum, the schema tells the values. */
const MAX_LISTED_VALUES = 8;
/** No name of a value is longer. */
const MAX_WRITTEN_LENGTH = 80;

/** What to use, by the names that other services have for it. */
type Hints = { readonly [names: string]: string };

/** `debtorsAggregate` too. */
const AGGREGATES: Hints = {
  'aggregate aggregates sum avg min max':
    'Use `totals { … }` below the list: it has `count`, and a `sum` below each amount.',
};
/** By a field, an argument or a directive that there has to be beside it. */
const HINTS: { readonly [beside: string]: Hints } = {
  pageInfo: {
    'totalCount count total totalItems totalResults': 'Use `totals { count }`.',
    'items results data rows records list content': 'The rows are in `nodes`.',
    ...AGGREGATES,
  },
  viewer: { 'me self user currentUser whoami whoAmI myself': 'Use `viewer { … }`.', ...AGGREGATES },
  primaryEmailAddress: { 'email emailAddress mail': 'Use `primaryEmailAddress`.' },
  bookOpenAmount: {
    'amount balance openAmount outstandingAmount amountDue openBalance debt': 'Use `bookOpenAmount`.',
  },
  // What the REST service has no list of, on any type.
  __typename: {
    'invoices invoice':
      'The REST service lists no invoices. Their identifiers are in `declarationLines { nodes { invoiceIdentifier } }`.',
    'tasks task lastTask openTasks':
      'The REST service lists no tasks. The mutation `unmarkTaskCompleted` returns the task that it changes.',
    'messages message lastMessage':
      'The REST service lists no messages. The mutation `updateMessages` takes their ids.',
    'payments payment lastPayment':
      'The REST service lists no payments but those that were deleted: `deletedPayments`.',
  },
  // Arguments of lists, and of their groups.
  where: {
    'last before': 'Lists are read forward only: use `first` and `after`.',
    'offset skip page pageNumber cursor start from':
      'Lists are read with `first: …`, and the next page with `after: <endCursor of pageInfo>`.',
    'limit take top perPage pageSize size count': 'Use `first` to say how many rows.',
    'filter filters filterBy search query condition': 'Use `where: { … }` to filter.',
    'groupBy group groupBys': 'Use `groups(by: …) { … }` below the list.',
  },
  thenBy: { where: 'Put `where` on the list: `groups` are of the records that it leaves.' },
  include: {
    'defer stream':
      'Answers are sent whole: leave it out, and ask for what is slow in an operation of its own.',
  },
};
const ORDER_NAMES = ['order', 'sort', 'sortBy', 'sorting', 'orderDirection', 'sortOrder'];
const ADMINISTRATIONS =
  'To list the administrations of your token, query `viewer { administrations { internalId } }`.';

function hintFor(name: string, siblings: readonly { readonly name: string }[]): string | undefined {
  const hints = siblings.flatMap((sibling) => Object.entries(HINTS[sibling.name] ?? {}));
  return hints.find(([names]) => names.split(' ').includes(name))?.[1];
}

/**
 * Not a check of its own: the rules after it report errors without literals, which may be secrets, and with what to use
 * in place of things that other GraphQL services have, which is better than a name that is only spelled alike.
 */
export const hintRule: ValidationRule = (context) => {
  /** The arguments and fields of inputs that the visitor is inside of. */
  const names: string[] = [];
  const leave = () => void names.pop();
  const named = {
    enter: ({ name }: { readonly name: { readonly value: string } }) => void names.push(name.value),
    leave,
  };
  const report = context.reportError.bind(context);

  function messageOf(error: GraphQLError): string {
    const { message, nodes: [node] = [] } = error;
    const { type: outer, path } = placeInInput(error, context.getInputType());
    const type = outer && innerType(outer, path);
    if (type && node && isValueNode(node)) {
      const name = path.findLast((key) => typeof key === 'string') ?? names.at(-1) ?? '';
      const told = wrongValue(type, valueFromASTUntyped(node), message, name, `\`${name}\` takes`);
      if (!isEnumType(type)) return told;
      if (node.kind === Kind.STRING && type.getValue(node.value)) return `${told} Write it without quotes.`;
      return node.kind === Kind.LIST && name === 'by' ? `${told} Give a second one as \`thenBy\`.` : told;
    }
    if (/administrationId\W.* is required/.test(message)) return withAdvice(message, ADMINISTRATIONS);
    return withAdvice(message, node && adviceOn(node, type));
  }

  function adviceOn(node: ASTNode, type: GraphQLNamedInputType | null | undefined): string | undefined {
    if (!('name' in node) || node.name === undefined) return undefined;
    const { value: name } = node.name;
    if (node.kind === Kind.DIRECTIVE) return hintFor(name, context.getSchema().getDirectives());
    if (node.kind === Kind.FIELD) return fieldHint(context.getParentType(), name);
    if (node.kind === Kind.OBJECT_FIELD) return memberHint(type ?? context.getParentInputType(), name);
    const field = node.kind === Kind.ARGUMENT && !context.getDirective() && context.getFieldDef();
    return field ? inputHint(field.args, name) : undefined;
  }

  context.reportError = (error) => {
    const message = messageOf(error);
    const { nodes = [], extensions } = error;
    report(message === error.message ? error : new GraphQLError(message, { nodes, extensions }));
  };
  return {
    Argument: named,
    ObjectField: named,
    VariableDefinition: { enter: ({ variable }) => void names.push(`$${variable.name.value}`), leave },
  };
};

/** For a field that the type does not have. */
function fieldHint(type: GraphQLNamedType | null | undefined, name: string): string | undefined {
  if (!isObjectType(type) || type.getFields()[name]) return undefined;
  const fields = Object.values(type.getFields());
  const hint = hintFor(name.replace(/^.+Aggregate$/, 'aggregate'), [...fields, TypeNameMetaFieldDef]);
  if (hint) return hint;
  // What belongs below another field, which can be asked for without arguments.
  for (const field of fields) {
    const inner = getNamedType(field.type);
    const isOpen = isObjectType(inner) && !inner.getFields().pageInfo && !field.args.some(isRequiredArgument);
    const found = isOpen && inner.getFields()[name];
    if (!found) continue;
    const selection = isLeafType(getNamedType(found.type)) ? name : `${name} { … }`;
    return `Ask for it below \`${field.name}\`: \`${field.name} { ${selection} }\`.`;
  }
  return undefined;
}

/**
 * What is wrong with a literal or a variable of this type, below this argument or field. The messages of graphql-js for
 * scalars and enums quote the value, which may be a secret; only what it suggests is taken from them.
 */
export function wrongValue(
  type: GraphQLNamedType,
  value: unknown,
  message: string,
  name: string,
  takes: string,
): string {
  if (value === null || value === undefined) return message;
  if (isInputObjectType(type)) {
    const [, unknown] = /^Field "(\w{1,80})" is not defined by type /.exec(message) ?? [];
    if (typeof value === 'object' && !Array.isArray(value))
      return withAdvice(message, memberHint(type, unknown));
    const { eq, contains } = type.getFields();
    const orPart = contains ? ', or `contains` to find a part of it' : '';
    const condition = eq && `Write \`${name}: { eq: ${exampleOf(eq.type)} }\`${orPart}.`;
    return withAdvice(`${takes} an object of type "${type}".`, condition ?? shapeOf(type));
  }
  if (isEnumType(type)) {
    const names = type.getValues().map((one) => one.name);
    const listed = names.length <= MAX_LISTED_VALUES ? `It is one of ${listOf(names)}.` : undefined;
    // What graphql-js suggests comes last, after the value that it quotes.
    const suggested = message.split(` "${type}" enum. `).slice(1).at(-1);
    const advice = wordAdvice(names, value) ?? suggested ?? listed;
    return withAdvice(`${takes} a value of the enum "${type}".`, advice);
  }
  return `${takes} ${scalarWords(type.name)}.`;
}

export function scalarWords(name: string): string {
  return SCALAR_WORDS[name] ?? `a value of type "${name}"`;
}

/** The names that have all words of what was written, or words that begin so: POSTAL_ADDRESS_CITY for `address.city`. */
function wordAdvice(names: readonly string[], written: unknown): string | undefined {
  // Of a name that there is, only the quotes are wrong.
  if (typeof written !== 'string' || written.length > MAX_WRITTEN_LENGTH || names.includes(written)) return;
  const words =
    written
      .replace(/([a-z])(?=[A-Z])/g, '$1_')
      .toUpperCase()
      .match(/[A-Z]+/g) ?? [];
  const found = names.filter((name) => words.every((word) => `_${name}`.includes(`_${word}`)));
  const isClear = found.length > 0 && found.length <= MAX_LISTED_VALUES;
  return isClear ? `Did you mean ${listOf(found, 'or')}?` : undefined;
}

/** The innermost type of the value at a path inside a value of a type: a list is of the type of its items. */
export function innerType(type: GraphQLInputType, path: InputPath): GraphQLNamedInputType {
  let named = getNamedType(type);
  for (const key of path) {
    const field = isInputObjectType(named) ? named.getFields()[key] : undefined;
    if (field) named = getNamedType(field.type);
  }
  return named;
}

/** For a member that an input object does not have. */
function memberHint(type: GraphQLInputType | null | undefined, name = ''): string | undefined {
  return inputHint(Object.values(fieldsOf(type)), name) ?? shapeOf(type);
}

/** For what is not among these arguments of a field, or members of an input object. */
function inputHint(
  inputs: readonly Pick<GraphQLInputField, 'name' | 'type'>[],
  name: string,
): string | undefined {
  const typeOf = (input: string) => inputs.find((one) => one.name === input)?.type;
  const hint = ORDER_NAMES.includes(name) ? shapeOf(typeOf('orderBy')) : hintFor(name, inputs);
  if (hint) return hint;
  if (fieldsOf(typeOf('some'))[name])
    return `Write \`some: { ${name}: … }\`, or \`every\` or \`none\` in its place.`;
  // `name_contains`, as other services write it.
  const [, field = '', condition = ''] = /^([a-z]\w*)_([a-z]+)$/i.exec(name) ?? [];
  const conditions = fieldsOf(typeOf(field));
  const known = conditions[condition];
  if (known) return `Write \`${field}: { ${condition}: ${exampleOf(known.type)} }\`.`;
  if (conditions.eq) return `The conditions on \`${field}\` are ${listOf(Object.keys(conditions))}.`;
  // What belongs into the object of another one. Conditions on a value are on any of them.
  const outer = inputs.find(({ type }) => !fieldsOf(type).eq && fieldsOf(type)[name]);
  const inner = isInputObjectType(getNamedType(fieldsOf(outer?.type)[name]?.type)) ? '{ … }' : '…';
  return outer && `Write \`${outer.name}: { ${name}: ${inner} }\`.`;
}

function fieldsOf(type: GraphQLInputType | null | undefined): { readonly [name: string]: GraphQLInputField } {
  const named = getNamedType(type);
  return isInputObjectType(named) ? named.getFields() : {};
}

/** What there is in an input object: of conditions, of an order, or one of its keys. */
function shapeOf(type: GraphQLInputType | null | undefined): string | undefined {
  const named = getNamedType(type);
  const fields = fieldsOf(type);
  const names = listOf(Object.keys(fields));
  if (fields.eq) return `The conditions are ${names}.`;
  if (isInputObjectType(named) && named.isOneOf) return `Its keys are ${names}.`;
  if (!fields.field || !fields.direction) return undefined;
  return `Order by \`orderBy: [{ field: ${exampleOf(fields.field.type)}, direction: DESC }]\`.`;
}

function exampleOf(type: GraphQLInputType): string {
  const named = getNamedType(type);
  const values = isEnumType(named) ? named.getValues().map(({ name }) => name) : [];
  const value = values.includes('NAME') ? 'NAME' : values[0];
  const text = value ?? EXAMPLES[named.name] ?? '"…"';
  return String(type).startsWith('[') ? `[${text}]` : text;
}

function listOf(names: readonly string[], last = 'and'): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

/** The sentence, with the advice in place of names that are only spelled alike. */
function withAdvice(sentence: string, advice: string | undefined): string {
  return advice === undefined ? sentence : `${sentence.replace(/ Did you mean .*\?$/s, '')} ${advice}`;
}
