import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
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
  type: GraphQLNamedType,
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
  // Of a name that there is, only the quotes are wrong.
  if (typeof written !== 'string' || written.length > MAX_WRITTEN_LENGTH || names.includes(written)) return;
  const separated = written.replace(/([a-z])(?=[A-Z])/g, '$1_').toUpperCase();
  const parts = separated.match(/[A-Z]+/g) ?? [];
  const whole = parts.join('_');
  const isMeant = (name: string) =>
    parts.every((part) => name.split('_').some((word) => word.startsWith(part)));
  const found = names.includes(whole) ? [whole] : names.filter(isMeant);
  const isClear = parts.length > 0 && found.length > 0 && found.length <= MAX_LISTED_VALUES;
  return isClear ? `Did you mean ${listOf(found, 'or')}?` : undefined;
}

/** The names that graphql-js suggests come last, after the value that it quotes. */
function suggestionIn(reason: string, type: string): string | undefined {
  return reason.split(` "${type}" enum. `).slice(1).at(-1);
}

/** How to write an object of this type, for someone who wrote something else. */
function objectAdvice(type: GraphQLInputObjectType, name: string | undefined): string | undefined {
  const { eq } = type.getFields();
  if (eq) return `Write \`${name === undefined ? '' : `${name}: `}{ eq: ${exampleOf(eq.type)} }\`.`;
  return orderAdvice(type) ?? oneOfAdvice(type);
}

/** What to write in place of a field that the type does not have. */
export function fieldAdvice(type: GraphQLNamedType | undefined, name: string): string | undefined {
  const fields = fieldsOf(type);
  if (fields[name]) return undefined;
  if (fields.eq) return `The conditions are ${listOf(Object.keys(fields))}.`;
  if (fieldsOf(fields.some?.type)[name])
    return `Write \`some: { ${name}: … }\`, or \`every\` or \`none\` in its place.`;
  const advice = joinedAdvice(fields, name) ?? outerAdvice(Object.values(fields), name);
  return advice ?? orderAdvice(type) ?? oneOfAdvice(type);
}

type InputFields = ReturnType<GraphQLInputObjectType['getFields']>;

function fieldsOf(type: GraphQLNamedType | GraphQLInputType | undefined): InputFields {
  const named = getNamedType(type);
  return isInputObjectType(named) ? named.getFields() : {};
}

/** For what belongs into the object of another argument or field. */
export function outerAdvice(
  inputs: readonly { readonly name: string; readonly type: GraphQLInputType }[],
  name: string,
): string | undefined {
  // Conditions on a value are on any of them.
  const outer = inputs.find(({ type }) => !fieldsOf(type).eq && fieldsOf(type)[name]);
  if (outer === undefined) return undefined;
  const isObject = isInputObjectType(getNamedType(fieldsOf(outer.type)[name]?.type));
  return `Write \`${outer.name}: { ${name}: ${isObject ? '{ … }' : '…'} }\`.`;
}

/** For `name_contains`, as other services write it. */
function joinedAdvice(fields: InputFields, name: string): string | undefined {
  const [, field = '', condition = ''] = /^([a-z]\w{0,60})_([a-z]{1,20})$/i.exec(name) ?? [];
  const conditions = fieldsOf(fields[field]?.type);
  const known = conditions[condition];
  if (known) return `Write \`${field}: { ${condition}: ${exampleOf(known.type)} }\`.`;
  return conditions.eq && `The conditions on \`${field}\` are ${listOf(Object.keys(conditions))}.`;
}

/** How an order is written, where the type is that of one. */
export function orderAdvice(type: GraphQLNamedType | undefined): string | undefined {
  const { field, direction } = fieldsOf(type);
  const fields = getNamedType(field?.type);
  if (!direction || !isEnumType(fields)) return undefined;
  const names = fields.getValues().map(({ name }) => name);
  const example = ORDER_EXAMPLES.find((name) => names.includes(name)) ?? names[0];
  return `Order by \`orderBy: [{ field: ${example}, direction: DESC }]\`.`;
}

/** For a type that takes one of its keys. */
export function oneOfAdvice(type: GraphQLNamedType | undefined): string | undefined {
  const isOneOf = isInputObjectType(type) && type.isOneOf;
  return isOneOf ? `Its keys are ${listOf(Object.keys(type.getFields()))}.` : undefined;
}

function exampleOf(type: GraphQLInputType): string {
  const named = getNamedType(type);
  const text = (isEnumType(named) ? named.getValues()[0]?.name : EXAMPLES.get(named.name)) ?? '"…"';
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
