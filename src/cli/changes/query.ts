import {
  assertEnumType,
  assertObjectType,
  GraphQLError,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isRequiredArgument,
  Kind,
  parse,
  print,
  type SelectionNode,
  validate,
} from 'graphql';
import { schema } from '../../schema/index.ts';
import { wrongInput } from '../failure.ts';
import { BY_THIS_SCHEMA } from '../gateway-request.ts';

/** The fields that each event has, whatever has changed. */
const OF_EVENT = ['eventId', 'cursor', 'kind', 'administrationId', 'seenAt'];

const KINDS = assertEnumType(schema.getType('ChangeKind'));
const ALL_KINDS = KINDS.getValues().map(({ name }) => name);

export const OPERATION_NAME = 'Changes';

/** The document that asks for changes of these kinds: with these fields of each record that has them, or all plain ones. */
export function changesQuery(kinds: readonly string[] | undefined, fields: string | undefined): string {
  const events = (kinds ?? ALL_KINDS).map(eventOf);
  const chosen = fields === undefined ? undefined : readFields(fields);
  const unknown = chosen?.find((selection) => !events.some(({ record }) => isOf(record, selection)));
  if (unknown)
    throw wrongInput(`--fields: no record of these kinds has ${print(unknown)}. ${BY_THIS_SCHEMA}`);
  const fragments = events.map(({ type, field, record }) => {
    const selections = chosen?.filter((selection) => isOf(record, selection)).map((node) => print(node));
    // Without its id nobody knows which record it is.
    const names = ['id', ...(selections ?? plainFields(record)).filter((name) => name !== 'id')];
    return `... on ${type} { ${field} { ${names.join(' ')} } }`;
  });
  const document = parse(
    `subscription ${OPERATION_NAME}($administrationId: ID!, $kinds: [ChangeKind!], $since: DateTime, $after: String) {
      changes(administrationId: $administrationId, kinds: $kinds, since: $since, after: $after) {
        ${[...OF_EVENT, ...fragments].join('\n')}
      }
    }`,
  );
  const [problem] = validate(schema, document);
  if (problem) throw wrongInput(`--fields: ${problem.message} ${BY_THIS_SCHEMA}`);
  return print(document);
}

/** The type of a kind's events, which has the name of the kind in another case; and the field and type of its record. */
function eventOf(kind: string) {
  try {
    KINDS.parseValue(kind);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw wrongInput(`--kinds: ${error.message} It takes ${ALL_KINDS.join(', ')}.`);
  }
  const type = kind.toLowerCase().replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const fields = Object.values(assertObjectType(schema.getType(type)).getFields());
  const field = fields.find(({ name }) => !OF_EVENT.includes(name));
  return { type, field: String(field?.name), record: assertObjectType(getNamedType(field?.type)) };
}

function plainFields(record: GraphQLObjectType): string[] {
  return Object.values(record.getFields())
    .filter(({ type, args }) => isLeafType(getNamedType(type)) && !args.some(isRequiredArgument))
    .filter(({ deprecationReason }) => deprecationReason === undefined)
    .map(({ name }) => name);
}

function readFields(fields: string): readonly SelectionNode[] {
  try {
    const { definitions } = parse(`{ ${fields}\n}`);
    const [definition] = definitions;
    if (definitions.length === 1 && definition?.kind === Kind.OPERATION_DEFINITION)
      return definition.selectionSet.selections;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
  throw wrongInput("--fields takes a selection of GraphQL, such as 'name postalAddress { city }'.");
}

/** Kinds have fields of their own, so each takes what is meant for it. */
function isOf(record: GraphQLObjectType, selection: SelectionNode): boolean {
  if (selection.kind === Kind.FIELD) return selection.name.value in record.getFields();
  return selection.kind === Kind.INLINE_FRAGMENT && selection.typeCondition?.name.value === record.name;
}
