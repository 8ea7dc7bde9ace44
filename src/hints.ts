import {
  type ASTNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLInputFieldMap,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isValueNode,
  Kind,
  type NameNode,
  type ValidationRule,
  valueFromASTUntyped,
} from 'graphql';

const SCALAR_WORDS = new Map([
  ['Int', 'an Int: a whole number up to 2147483647, without quotes'],
  ['Float', 'a Float: a number, without quotes'],
  ['Boolean', 'a Boolean: true or false, without quotes'],
  ['String', 'a String: text in double quotes'],
  ['ID', 'an ID: text in double quotes, or a whole number'],
  ['Amount', 'an Amount as text, with a point and without thousands separators, such as "1000.50"'],
  [
    'DateTime',
    'a DateTime: ISO 8601 with an offset, such as 2024-05-01T00:00:00Z or 2024-05-01T02:00:00+02:00, and at most ' +
      'nine digits of a second',
  ],
]);
/** Of the others, a text. */
const EXAMPLES = new Map(Object.entries({ Int: '5', Float: '0.5', Boolean: 'true' }));
/** Of a longer enum, the schema tells the values. */
const MAX_LISTED_VALUES = 8;
/** No name of a value is longer. */
const MAX_WRITTEN_LENGTH = 80;

/** What to use, by the names that other services have for it. */
type Hints = { readonly [names: string]: string };

const DIRECTIVES: Hints = {
  'defer stream':
    'Answers are sent whole: leave it out, and ask for what is slow in an operation of its own.',
};
/** `debtorsAggregate` too. */
const AGGREGATES: Hints = {
  'aggregate aggregates sum avg min max':
    'Use `totals { … }` below the list: it has `count`, and a `sum` below each amount.',
};
/** On types that have the field which the hints stand under. */
const FIELDS: { readonly [field: string]: Hints } = {
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
};
/** What the REST service has no list of, and where it occurs. */
const UNLISTED: Hints = {
  'invoices invoice':
    'The REST service lists no invoices. Their identifiers are in `declarationLines { nodes { invoiceIdentifier } }`.',
  'tasks task lastTask openTasks':
    'The REST service lists no tasks. The mutation `unmarkTaskCompleted` returns the task that it changes.',
  'messages message lastMessage':
    'The REST service lists no messages. The mutation `updateMessages` takes their ids.',
  'payments payment lastPayment':
    'The REST service lists no payments but those that were deleted: `deletedPayments`.',
};
const LIST_ARGUMENTS: Hints = {
  'last before': 'Lists are read forward only: use `first` and `after`.',
  'offset skip page pageNumber cursor start from':
    'Lists are read with `first: …`, and the next page with `after: <endCursor of pageInfo>`.',
  'limit take top perPage pageSize size count': 'Use `first` to say how many rows.',
  'filter filters filterBy search query condition': 'Use `where: { … }` to filter.',
  'groupBy group groupBys': 'Use `groups(by: …) { … }` below the list.',
};
const ORDER_ARGUMENTS = ['orderBy', 'order', 'sort', 'sortBy', 'sorting', 'orderDirection', 'sortOrder'];
const ADMINISTRATIONS = 'Those of your token: `viewer { administrations { internalId } }`.';

function hintFor(name: string, hints: Hints = {}): string | undefined {
  return Object.entries(hints).find(([names]) => names.split(' ').includes(name))?.[1];
}

/**
 * Not a check of its own: the rules after it report errors without literals, which may be secrets, and with what to use
 * in place of things that other GraphQL services have, which is better than a name that is only spelled alike.
 */
export const hintRule: ValidationRule = (context) => {
  /** The arguments and fields of inputs that the visitor is inside of. */
  const names: string[] = [];
  const leave = () => void names.pop();
  const named = { enter: ({ name }: { readonly name: NameNode }) => void names.push(name.value), leave };
  const report = context.reportError.bind(context);

  function messageOf({ message, nodes: [node] = [] }: GraphQLError): string {
    const type = getNamedType(context.getInputType());
    if (type && node && isValueNode(node)) {
      const name = names.at(-1) ?? '';
      const told = wrongValue(type, valueFromASTUntyped(node), message, name, `\`${name}\` takes`);
      if (!isEnumType(type)) return told;
      if (node.kind === Kind.STRING && type.getValue(node.value)) return `${told} Write it without quotes.`;
      return node.kind === Kind.LIST && name === 'by' ? `${told} Give a second one as \`thenBy\`.` : told;
    }
    if (/"administrationId" .*required/.test(message)) return withAdvice(message, ADMINISTRATIONS);
    return withAdvice(message, node && adviceOn(node));
  }

  function adviceOn(node: ASTNode): string | undefined {
    if (!('name' in node) || node.name === undefined) return undefined;
    const { value: name } = node.name;
    if (node.kind === Kind.DIRECTIVE) return hintFor(name, DIRECTIVES);
    if (node.kind === Kind.FIELD) return fieldHint(context.getParentType(), name);
    if (node.kind === Kind.OBJECT_FIELD)
      return memberAdvice(getNamedType(context.getParentInputType()), name);
    const field = node.kind === Kind.ARGUMENT && !context.getDirective() && context.getFieldDef();
    return field ? argumentHint(field, name) : undefined;
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

/** For an argument that the field does not have. */
function argumentHint({ args, type }: GraphQLField<unknown, unknown>, name: string): string | undefined {
  const typeOf = (argument: string) => getNamedType(args.find((one) => one.name === argument)?.type);
  if (isConnection(type)) {
    const hint = ORDER_ARGUMENTS.includes(name) ? shapeOf(typeOf('orderBy')) : hintFor(name, LIST_ARGUMENTS);
    if (hint) return hint;
  }
  if (name === 'where' && typeOf('thenBy'))
    return 'Put `where` on the list: `groups` are of the records that it leaves.';
  return outerAdvice(args, name);
}

/** For a field that the type does not have. */
function fieldHint(type: GraphQLNamedType | null | undefined, name: string): string | undefined {
  if (!isObjectType(type)) return undefined;
  const fields = type.getFields();
  if (fields[name]) return undefined;
  const known = name.replace(/^.+Aggregate$/, 'aggregate');
  const hints = Object.keys(FIELDS).map((field) => fields[field] && hintFor(known, FIELDS[field]));
  const hint = hints.find(Boolean) ?? hintFor(name, UNLISTED);
  if (hint) return hint;
  // What belongs below another field, which can be asked for without arguments.
  for (const field of Object.values(fields)) {
    const inner = getNamedType(field.type);
    if (!isObjectType(inner) || isConnection(inner) || field.args.some(isRequiredArgument)) continue;
    const found = inner.getFields()[name];
    if (!found) continue;
    const selection = isLeafType(getNamedType(found.type)) ? name : `${name} { … }`;
    return `Ask for it below \`${field.name}\`: \`${field.name} { ${selection} }\`.`;
  }
  return undefined;
}

function isConnection(type: GraphQLOutputType): boolean {
  const named = getNamedType(type);
  return isObjectType(named) && named.getFields().pageInfo !== undefined;
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
      return withAdvice(message, unknown === undefined ? shapeOf(type) : memberAdvice(type, unknown));
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
  return SCALAR_WORDS.get(name) ?? `a value of type "${name}"`;
}

/** The names that have all words of what was written, or words that begin so: POSTAL_ADDRESS_CITY for `address.city`. */
function wordAdvice(names: readonly string[], written: unknown): string | undefined {
  // Of a name that there is, only the quotes are wrong.
  if (typeof written !== 'string' || written.length > MAX_WRITTEN_LENGTH || names.includes(written)) return;
  const separated = written.replace(/([a-z])(?=[A-Z])/g, '$1_').toUpperCase();
  const parts = separated.match(/[A-Z]+/g) ?? [];
  const whole = parts.join('_');
  if (names.includes(whole)) return `Did you mean ${whole}?`;
  const found = names.filter((name) => parts.every((part) => `_${name}`.includes(`_${part}`)));
  const isClear = found.length > 0 && found.length <= MAX_LISTED_VALUES;
  return isClear ? `Did you mean ${listOf(found, 'or')}?` : undefined;
}

/** What to write in place of a member that an input object does not have. */
function memberAdvice(type: GraphQLNamedType | undefined, name: string): string | undefined {
  const fields = fieldsOf(type);
  if (fields[name]) return undefined;
  if (fieldsOf(fields.some?.type)[name])
    return `Write \`some: { ${name}: … }\`, or \`every\` or \`none\` in its place.`;
  // `name_contains`, as other services write it.
  const [, field = '', condition = ''] = /^([a-z]\w*)_([a-z]+)$/i.exec(name) ?? [];
  const conditions = fieldsOf(fields[field]?.type);
  const known = conditions[condition];
  if (known) return `Write \`${field}: { ${condition}: ${exampleOf(known.type)} }\`.`;
  if (conditions.eq) return `The conditions on \`${field}\` are ${listOf(Object.keys(conditions))}.`;
  return outerAdvice(Object.values(fields), name) ?? shapeOf(type);
}

function fieldsOf(type: GraphQLNamedType | GraphQLInputType | undefined): GraphQLInputFieldMap {
  const named = getNamedType(type);
  return isInputObjectType(named) ? named.getFields() : {};
}

/** For what belongs into the object of another argument or field. */
function outerAdvice(
  inputs: readonly { readonly name: string; readonly type: GraphQLInputType }[],
  name: string,
): string | undefined {
  // Conditions on a value are on any of them.
  const outer = inputs.find(({ type }) => !fieldsOf(type).eq && fieldsOf(type)[name]);
  if (outer === undefined) return undefined;
  const isObject = isInputObjectType(getNamedType(fieldsOf(outer.type)[name]?.type));
  return `Write \`${outer.name}: { ${name}: ${isObject ? '{ … }' : '…'} }\`.`;
}

/** What there is in an input object: of conditions, of an order, or one of its keys. */
function shapeOf(type: GraphQLNamedType | undefined): string | undefined {
  const fields = fieldsOf(type);
  const names = listOf(Object.keys(fields));
  if (fields.eq) return `The conditions are ${names}.`;
  if (isInputObjectType(type) && type.isOneOf) return `Its keys are ${names}.`;
  if (!fields.field || !fields.direction) return undefined;
  return `Order by \`orderBy: [{ field: ${exampleOf(fields.field.type)}, direction: DESC }]\`.`;
}

function exampleOf(type: GraphQLInputType): string {
  const named = getNamedType(type);
  const values = isEnumType(named) ? named.getValues().map(({ name }) => name) : [];
  const value = values.includes('NAME') ? 'NAME' : values[0];
  const text = value ?? EXAMPLES.get(named.name) ?? '"…"';
  return String(type).startsWith('[') ? `[${text}]` : text;
}

function listOf(names: readonly string[], last = 'and'): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

/** The sentence, with the advice in place of names that are only spelled alike. */
function withAdvice(sentence: string, advice: string | undefined): string {
  return advice === undefined ? sentence : `${sentence.replace(/ Did you mean .*\?$/s, '')} ${advice}`;
}
