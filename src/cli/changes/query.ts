import {
  assertInterfaceType,
  assertObjectType,
  type GraphQLObjectType,
  getNamedType,
  getOperationAST,
  isLeafType,
  Kind,
  parse,
  print,
  type SelectionNode,
} from 'graphql';
import { validateWithLimits } from '../../request/documents.ts';
import { toConstantCase } from '../../schema/fields/builder.ts';
import { schema } from '../../schema/index.ts';
import { inputError } from '../failure.ts';
import { BY_THIS_SCHEMA } from '../gateway.ts';

const CHANGE = assertInterfaceType(schema.getType('Change'));
const EVENT_FIELDS = Object.keys(CHANGE.getFields());
/** The type, record field and record type of each kind. */
const EVENTS = new Map(
  schema.getPossibleTypes(CHANGE).map((type) => {
    const field = Object.values(type.getFields()).find(({ name }) => !EVENT_FIELDS.includes(name));
    const record = assertObjectType(getNamedType(field?.type));
    return [toConstantCase(type.name), { type, field: `${field?.name}`, record }];
  }),
);

/** Returns a subscription to these kinds, with these fields of each record that has them, or all plain ones. */
export function changesQuery(kinds: readonly string[] | undefined, fields: string | undefined): string {
  const events = (kinds ?? [...EVENTS.keys()]).map((kind) => {
    const event = EVENTS.get(kind);
    if (event) return event;
    throw inputError(`--kinds takes ${[...EVENTS.keys()].join(', ')}, not '${kind}'.`);
  });
  const selected = fields === undefined ? undefined : readFields(fields);
  const fragments = events.map(({ type, field, record }) => {
    // Unknown fields go to all records, so that validation reports them.
    const isFor = (selection: SelectionNode) =>
      belongsTo(record, selection) || !events.some((event) => belongsTo(event.record, selection));
    const plain = Object.values(record.getFields()).filter(({ type }) => isLeafType(getNamedType(type)));
    const selections = selected?.filter(isFor).map((node) => print(node)) ?? plain.map(({ name }) => name);
    const names = new Set(['id', ...selections]);
    return `... on ${type} { ${field} { ${[...names].join(' ')} } }`;
  });
  const document = parse(
    `subscription Changes($administrationId: ID!, $kinds: [ChangeKind!], $since: DateTime, $after: String) {
      changes(administrationId: $administrationId, kinds: $kinds, since: $since, after: $after) {
        ${[...EVENT_FIELDS, ...fragments].join('\n')}
      }
    }`,
  );
  const [problem] = validateWithLimits(schema, document);
  if (problem) throw inputError(`--fields: ${problem.message} ${BY_THIS_SCHEMA}`);
  return print(document);
}

function readFields(fields: string): readonly SelectionNode[] {
  try {
    const operation = getOperationAST(parse(`{ ${fields}\n}`));
    if (operation) return operation.selectionSet.selections;
  } catch {
    // Rejected below.
  }
  throw inputError("--fields takes a selection of GraphQL, such as 'name postalAddress { city }'.");
}

function belongsTo(record: GraphQLObjectType, selection: SelectionNode): boolean {
  if (selection.kind === Kind.FIELD) return selection.name.value in record.getFields();
  return selection.kind === Kind.INLINE_FRAGMENT && selection.typeCondition?.name.value === record.name;
}
