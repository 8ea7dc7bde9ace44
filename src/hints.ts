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
import { type InputPath, locateInInput } from './graphql-version.ts';

export const SCALAR_WORDS: { readonly [type: string]: string } = {
  Int: 'an Int: a whole number up to 2147483647, without quotes',
  Boolean: 'a Boolean: true or false, without quotes',
  String: 'a String: text in double quotes',
  ID: 'an ID: text in double quotes, or a whole number',
  Amount: 'an Amount as text, with a point and without thousands separators, such as "1000.50"',
  DateTime:
    'a DateTime: ISO 8601 with an offset, such as 2024-05-01T00:00:00Z or 2024-05-01T02:00:00.000+02:00',
};
const MAX_LISTED_VALUES = 8;
const MAX_VALUE_LENGTH = 80;
const joinByAnd = new Intl.ListFormat('en-GB');
const joinByOr = new Intl.ListFormat('en-GB', { type: 'disjunction' });

type MaybeInput = GraphQLInputType | null | undefined;
type Inputs = readonly Pick<GraphQLInputField, 'name' | 'type'>[];
type Named = { readonly name: { readonly value: string } };
type Hints = { readonly [names: string]: string };

/** `fieldHint` also applies these to names such as `debtorsAggregate`. */
const AGGREGATES: Hints = {
  'aggregate aggregates sum avg min max':
    'Use `totals { … }` below the list: it has `count`, and a `sum` below each amount.',
};
const ORDER = 'Order by `orderBy: [{ field: …, direction: DESC }]`.';
/** Advice, by the name of an existing field, argument or directive of the same parent. */
const HINTS: { readonly [beside: string]: Hints } = {
  pageInfo: {
    'totalCount count total totalItems totalResults': 'Use `totals { count }`.',
    'items results data rows records list content': 'The records are in `nodes`.',
    ...AGGREGATES,
  },
  viewer: { 'me self user currentUser whoami whoAmI myself': 'Use `viewer { … }`.', ...AGGREGATES },
  primaryEmailAddress: { 'email emailAddress mail': 'Use `primaryEmailAddress`.' },
  bookOpenAmount: {
    'amount balance openAmount outstandingAmount amountDue openBalance debt': 'Use `bookOpenAmount`.',
  },
  // The REST service has no list of these. `__typename` matches every type.
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
  where: {
    'last before': 'Lists are read forward only: use `first` and `after`.',
    'offset skip page pageNumber cursor start from':
      'Lists are read with `first: …`, and the next page with `after: <endCursor of pageInfo>`.',
    'limit take top perPage pageSize size count': 'Use `first` to say how many records.',
    'filter filters filterBy search query condition': 'Use `where: { … }` to filter.',
    'groupBy group groupBys': 'Use `groups(by: …) { … }` below the list.',
  },
  orderBy: { 'order sort sortBy sorting orderDirection sortOrder': ORDER },
  thenBy: { where: 'Put `where` on the list: `groups` covers the matching records.' },
  include: {
    'defer stream': '`@defer` and `@stream` are not supported. Send slow fields in a separate operation.',
  },
};
const ADMINISTRATIONS =
  'To list the administrations of your token, query `viewer { administrations { internalId } }`.';

function findHint(name: string, siblings: readonly { readonly name: string }[]): string | undefined {
  const hints = siblings.flatMap((sibling) => Object.entries(HINTS[sibling.name] ?? {}));
  return hints.find(([names]) => names.split(' ').includes(name))?.[1];
}

/** Returns what to use in place of the name of a record or a field that other services have. */
export function adviceOnName(name: string): string | undefined {
  const fields = ['viewer', 'primaryEmailAddress', 'bookOpenAmount', '__typename'];
  const hints = fields.flatMap((field) => Object.entries(HINTS[field] ?? {}));
  return hints.find(([names]) => names.toLowerCase().split(' ').includes(name))?.[1];
}

/** Adds no check. It rewrites errors of later rules: without literals, which may be secrets, and with advice. */
export const hintRule: ValidationRule = (context) => {
  const names: string[] = [];
  const leave = () => void names.pop();
  const named = { enter: ({ name }: Named) => void names.push(name.value), leave };
  const report = context.reportError.bind(context);

  function rewriteMessage(error: GraphQLError): string {
    const { message, nodes: [node] = [] } = error;
    const { type: inputType, path } = locateInInput(error, context.getInputType());
    const type = inputType && getNestedType(inputType, path);
    if (type && node && isValueNode(node)) {
      const name = path.findLast((key) => typeof key === 'string') ?? names.at(-1) ?? '';
      const sentence = wrongValue(type, valueFromASTUntyped(node), message, name, `\`${name}\` takes`);
      if (!isEnumType(type)) return sentence;
      if (node.kind === Kind.STRING && type.getValue(node.value))
        return `${sentence} Write it without quotes.`;
      return node.kind === Kind.LIST && name === 'by'
        ? `${sentence} Give a second one as \`thenBy\`.`
        : sentence;
    }
    if (/administrationId\W.* is required/.test(message)) return withAdvice(message, ADMINISTRATIONS);
    return withAdvice(message, node && findAdvice(node, type));
  }

  function findAdvice(node: ASTNode, type: GraphQLNamedInputType | null | undefined): string | undefined {
    if (!('name' in node) || node.name === undefined) return undefined;
    const { value: name } = node.name;
    if (node.kind === Kind.DIRECTIVE) return findHint(name, context.getSchema().getDirectives());
    if (node.kind === Kind.FIELD) return fieldHint(context.getParentType(), name);
    if (node.kind === Kind.OBJECT_FIELD) return memberHint(type ?? context.getParentInputType(), name);
    const field = node.kind === Kind.ARGUMENT && !context.getDirective() && context.getFieldDef();
    return field ? inputHint(field.args, name) : undefined;
  }

  context.reportError = (error) => {
    const message = rewriteMessage(error);
    const { nodes = [], extensions } = error;
    report(message === error.message ? error : new GraphQLError(message, { nodes, extensions }));
  };
  return {
    Argument: named,
    ObjectField: named,
    VariableDefinition: { enter: ({ variable }) => void names.push(`$${variable.name.value}`), leave },
  };
};

function fieldHint(type: GraphQLNamedType | null | undefined, name: string): string | undefined {
  if (!isObjectType(type) || type.getFields()[name]) return undefined;
  const fields = Object.values(type.getFields());
  const hint = findHint(name.replace(/^.+Aggregate$/, 'aggregate'), [...fields, TypeNameMetaFieldDef]);
  if (hint) return hint;
  // The field may belong to a nested object that takes no arguments.
  for (const field of fields) {
    const fieldType = getNamedType(field.type);
    const isSelectable =
      isObjectType(fieldType) && !fieldType.getFields().pageInfo && !field.args.some(isRequiredArgument);
    const nested = isSelectable && fieldType.getFields()[name];
    if (!nested) continue;
    const selection = isLeafType(getNamedType(nested.type)) ? name : `${name} { … }`;
    return `Ask for it below \`${field.name}\`: \`${field.name} { ${selection} }\`.`;
  }
  return undefined;
}

/** graphql-js quotes the value, which may be a secret, so only its suggestion is used. */
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
    const condition = eq && `Write \`${name}: { eq: … }\`${orPart}.`;
    return withAdvice(`${takes} an object of type "${type}".`, condition ?? describeShape(type));
  }
  if (isEnumType(type)) {
    const names = type.getValues().map((option) => option.name);
    const listed = names.length <= MAX_LISTED_VALUES ? `It is one of ${joinByAnd.format(names)}.` : undefined;
    // graphql-js appends its suggestion to the value that it quotes.
    const suggested = message.split(` "${type}" enum. `).slice(1).at(-1);
    const advice = suggestNames(names, value) ?? suggested ?? listed;
    return withAdvice(`${takes} a value of the enum "${type}".`, advice);
  }
  return `${takes} ${SCALAR_WORDS[type.name] ?? `a value of type "${type.name}"`}.`;
}

/** Suggests the names that contain every word: POSTAL_ADDRESS_CITY for `address.city`. */
function suggestNames(names: readonly string[], value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH || names.includes(value)) return;
  const words = value.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/);
  const matches = names.filter((name) =>
    words.every((word) => `_${name}`.includes(`_${word.toUpperCase()}`)),
  );
  const isClear = matches.length > 0 && matches.length <= MAX_LISTED_VALUES;
  return isClear ? `Did you mean ${joinByOr.format(matches)}?` : undefined;
}

/** Returns the named type at a path inside a value. Indexes of lists do not change the type. */
export function getNestedType(type: GraphQLInputType, path: InputPath): GraphQLNamedInputType {
  return path.reduce((named, key) => {
    const field = getInputFields(named)[key];
    return field ? getNamedType(field.type) : named;
  }, getNamedType(type));
}

function memberHint(type: MaybeInput, name = ''): string | undefined {
  return inputHint(Object.values(getInputFields(type)), name) ?? describeShape(type);
}

function inputHint(inputs: Inputs, name: string): string | undefined {
  const hint = findHint(name, inputs);
  if (hint) return hint;
  const getInputType = (input: string) => inputs.find(({ name }) => name === input)?.type;
  if (getInputFields(getInputType('some'))[name])
    return `Write \`some: { ${name}: … }\`, or \`every\` or \`none\` in its place.`;
  const [, field = '', condition = ''] = /^([a-z]\w*)_([a-z]+)$/i.exec(name) ?? [];
  const conditions = getInputFields(getInputType(field));
  if (conditions[condition]) return `Write \`${field}: { ${condition}: … }\`.`;
  if (conditions.eq)
    return `The conditions on \`${field}\` are ${joinByAnd.format(Object.keys(conditions))}.`;
  // The name may belong to a nested input. All values share their conditions, so these are skipped.
  const parent = inputs.find(({ type }) => !getInputFields(type).eq && getInputFields(type)[name]);
  const value = isInputObjectType(getNamedType(getInputFields(parent?.type)[name]?.type)) ? '{ … }' : '…';
  return parent && `Write \`${parent.name}: { ${name}: ${value} }\`.`;
}

function getInputFields(type: MaybeInput): Readonly<Record<string, GraphQLInputField>> {
  const named = getNamedType(type);
  return isInputObjectType(named) ? named.getFields() : {};
}

function describeShape(type: MaybeInput): string | undefined {
  const named = getNamedType(type);
  const fields = getInputFields(type);
  const names = joinByAnd.format(Object.keys(fields));
  if (fields.eq) return `The conditions are ${names}.`;
  if (isInputObjectType(named) && named.isOneOf) return `Its keys are ${names}.`;
  return fields.field && fields.direction ? ORDER : undefined;
}

/** Appends advice, in place of similar spellings that graphql-js suggests. */
function withAdvice(sentence: string, advice: string | undefined): string {
  return advice === undefined ? sentence : `${sentence.replace(/ Did you mean .*\?$/s, '')} ${advice}`;
}
