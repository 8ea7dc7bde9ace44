import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
} from 'graphql';

/** What values of scalars look like: a literal and a variable are refused in the same words. */
export const SCALAR_WORDS = {
  Int: 'an Int: a whole number up to 2147483647, without quotes',
  Float: 'a Float: a number, without quotes',
  Boolean: 'a Boolean: true or false, without quotes',
  String: 'a String: text in double quotes',
  ID: 'an ID: text in double quotes, or a whole number',
  Amount: 'an Amount as text, such as "100.00"',
  DateTime:
    'a DateTime: ISO 8601 with an offset, such as 2024-05-01T00:00:00Z or 2024-05-01T02:00:00+02:00, and at most ' +
    'nine digits of a second',
} as const;

const words = new Map<string, string>(Object.entries(SCALAR_WORDS));
const EXAMPLES = new Map([
  ['Int', '5'],
  ['Float', '0.5'],
  ['Boolean', 'true'],
  ['Amount', '"100.00"'],
  ['DateTime', '"2024-05-01T00:00:00Z"'],
]);
const ORDER_EXAMPLES = ['NAME', 'AMOUNT', 'DELETED_AT'];
/** Of a longer enum, the schema tells the values. */
const MAX_LISTED_VALUES = 8;
/** No name of a value is longer. */
const MAX_WRITTEN_LENGTH = 80;

/**
 * What a type takes in place of a value that is wrong: it follows "takes" or "Expected". Undefined for the scalars of
 * users. The reason of graphql-js quotes the value, which may be a secret; only what it suggests is taken from it.
 */
export function expectedValue(
  type: GraphQLNamedInputType,
  reason: string,
  name: string | undefined,
  written: unknown,
): string | undefined {
  if (isInputObjectType(type)) return withAdvice(`an object of type "${type}".`, objectAdvice(type, name));
  if (isEnumType(type)) {
    const names = type.getValues().map((value) => value.name);
    const listed = names.length <= MAX_LISTED_VALUES ? `It is one of ${listOf(names)}.` : undefined;
    const advice = wordAdvice(names, written) ?? suggestionIn(reason, type.name) ?? listed;
    return withAdvice(`a value of the enum "${type}".`, advice);
  }
  const scalar = words.get(type.name);
  return scalar && `${scalar}.`;
}

/** The names that have all words of what was written, or words that begin so: POSTAL_ADDRESS_CITY for `address.city`. */
function wordAdvice(names: readonly string[], written: unknown): string | undefined {
  if (typeof written !== 'string' || written.length > MAX_WRITTEN_LENGTH) return undefined;
  const words =
    written
      .replace(/([a-z])(?=[A-Z])/g, '$1_')
      .toUpperCase()
      .match(/[A-Z]+/g) ?? [];
  const whole = words.join('_');
  // Only its quotes are wrong.
  if (words.length === 0 || (whole === written && names.includes(whole))) return undefined;
  const namesWith = (isSame: (part: string, word: string) => boolean) =>
    names.filter((name) => words.every((word) => name.split('_').some((part) => isSame(part, word))));
  const attempts = [
    names.filter((name) => name === whole),
    namesWith((part, word) => part === word),
    namesWith((part, word) => part.startsWith(word)),
  ];
  const found = attempts.find(({ length }) => length > 0) ?? [];
  return found.length === 0 || found.length > MAX_LISTED_VALUES
    ? undefined
    : `Did you mean ${listOf(found, 'or')}?`;
}

/** The names that graphql-js suggests come last, after the value that it quotes. */
function suggestionIn(reason: string, type: string): string | undefined {
  const end = ` "${type}" enum.`;
  const start = reason.lastIndexOf(end);
  const rest = start < 0 ? '' : reason.slice(start + end.length).trim();
  return rest === '' ? undefined : rest;
}

/** How to write an object of this type, for someone who wrote something else. */
function objectAdvice(type: GraphQLInputObjectType, name: string | undefined): string | undefined {
  const { eq } = type.getFields();
  if (eq) return `Write \`${name === undefined ? '' : `${name}: `}{ eq: ${exampleOf(eq.type)} }\`.`;
  return orderAdvice(type) ?? oneOfAdvice(type);
}

/** What to write in place of a field that the type does not have. */
export function fieldAdvice(type: GraphQLInputObjectType, name: string): string | undefined {
  const fields = type.getFields();
  if (fields.eq) return `The conditions are ${listOf(Object.keys(fields))}.`;
  const item = fields.some && getNamedType(fields.some.type);
  if (isInputObjectType(item) && item.getFields()[name])
    return `Write \`some: { ${name}: … }\`, or \`every\` or \`none\` in its place.`;
  return joinedAdvice(type, name) ?? innerAdvice(type, name) ?? orderAdvice(type) ?? oneOfAdvice(type);
}

/** For what belongs into the object of another field. */
function innerAdvice(type: GraphQLInputObjectType, name: string): string | undefined {
  const outer = Object.values(type.getFields()).find((field) => {
    const inner = getNamedType(field.type);
    // Conditions on a value are on any of them.
    return isInputObjectType(inner) && !inner.getFields().eq && inner.getFields()[name];
  });
  return outer && `Write \`${outer.name}: { ${name}: … }\`.`;
}

/** For `name_contains`, as other services write it. */
function joinedAdvice(type: GraphQLInputObjectType, name: string): string | undefined {
  const [, field = '', condition = ''] = /^([a-z]\w{0,60})_([a-z]{1,20})$/i.exec(name) ?? [];
  const input = type.getFields()[field];
  const conditions = input && getNamedType(input.type);
  if (!isInputObjectType(conditions)) return undefined;
  const { [condition]: known, eq } = conditions.getFields();
  if (known) return `Write \`${field}: { ${condition}: ${exampleOf(known.type)} }\`.`;
  return eq && `The conditions on \`${field}\` are ${listOf(Object.keys(conditions.getFields()))}.`;
}

/** How an order is written, where the type is that of one. */
export function orderAdvice(type: GraphQLInputObjectType): string | undefined {
  const { field, direction } = type.getFields();
  const fields = field && getNamedType(field.type);
  if (!direction || !isEnumType(fields)) return undefined;
  const names = fields.getValues().map(({ name }) => name);
  const example = ORDER_EXAMPLES.find((name) => names.includes(name)) ?? names[0];
  return `Order by \`orderBy: [{ field: ${example}, direction: DESC }]\`.`;
}

/** For a type that takes one of its keys. */
export function oneOfAdvice(type: GraphQLInputObjectType): string | undefined {
  return type.isOneOf ? `Its keys are ${listOf(Object.keys(type.getFields()))}.` : undefined;
}

function exampleOf(type: GraphQLInputType): string {
  const named = getNamedType(type);
  const example = isEnumType(named) ? named.getValues()[0]?.name : EXAMPLES.get(named.name);
  const text = example ?? '"…"';
  return String(type).startsWith('[') ? `[${text}]` : text;
}

function listOf(names: readonly string[], last = 'and'): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

/** The sentence, with the advice in place of names that are only spelled alike. */
export function withAdvice(sentence: string, advice: string | undefined): string {
  return advice === undefined ? sentence : `${sentence.replace(/ Did you mean .*\?$/s, '')} ${advice}`;
}

/** For names and texts of clients in messages: they may be as long as a request. */
export function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
