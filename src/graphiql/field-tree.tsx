import { FieldIcon, useGraphiQL, useOperationsEditorState, useOptimisticState } from '@graphiql/react';
import * as graphql from 'graphql';
import { Kind } from 'graphql';
import { createContext, type ReactNode, useContext } from 'react';
import * as edits from './query-edits.ts';
import type { Session } from './session.ts';

const QueryContext = createContext({
  schema: new graphql.GraphQLSchema({}),
  replace: (_node: graphql.ASTNode, _next: graphql.ASTNode) => {},
  /** The administration as GraphQL text: a variable or a literal. */
  id: '',
});

/** Returns a panel with checkboxes for fields and arguments, which edits the query. */
export function createFieldPanel(session: Session) {
  return { title: 'Fields', icon: FieldIcon, content: () => <FieldTree session={session} /> };
}

function FieldTree({ session }: { readonly session: Session }) {
  const schema = useGraphiQL((state) => state.schema);
  const name = useGraphiQL((state) => state.operationName);
  const [query, setQuery] = useOptimisticState(useOperationsEditorState());
  const operations = edits.parseOperations(query);
  if (!operations || !schema)
    return <p>{operations ? '' : 'Fix the syntax error in the query to choose fields.'}</p>;
  const operation = operations.find((each) => each.name?.value === name) ?? operations[0];
  const isDeclared = query.includes('$administrationId:');
  const id = isDeclared ? '$administrationId' : JSON.stringify(session.get().administrationId);
  const replace = (node: graphql.ASTNode, next: graphql.ASTNode) =>
    setQuery(edits.replaceNode(query, node, next));
  const selectionSet = { kind: Kind.SELECTION_SET, selections: [] } as const;
  const kinds = operation ? [operation.operation] : Object.values(graphql.OperationTypeNode);
  return (
    <QueryContext value={{ schema, replace, id }}>
      {kinds.map((kind) => {
        const type = schema.getRootType(kind);
        const parent = operation ?? { kind: Kind.OPERATION_DEFINITION, operation: kind, selectionSet };
        return (
          <section key={kind} className="field-tree" aria-label={`Fields of the ${kind}`}>
            <h2>{kind}</h2>
            {type && <Fields type={type} parent={parent} />}
          </section>
        );
      })}
    </QueryContext>
  );
}

interface FieldsProps {
  readonly type: graphql.GraphQLNamedType;
  readonly parent: graphql.SelectionNode | graphql.OperationDefinitionNode;
}

function Fields({ type, parent }: FieldsProps) {
  const { schema, replace, id } = useContext(QueryContext);
  if (parent.kind === Kind.FRAGMENT_SPREAD) return null;
  const fields: Row<graphql.SelectionNode>[] = edits.sortFields(type).map((field) => ({
    title: field.description,
    added: edits.createField(field, id),
    render: (node) => (
      <>
        {node.kind === Kind.FIELD && <Inputs inputs={field.args} parent={node} />}
        <Fields type={graphql.getNamedType(field.type)} parent={node} />
      </>
    ),
  }));
  const types = graphql.isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  const fragments: typeof fields = types.map((type) => ({
    added: edits.createFragment(type),
    render: (node) => <Fields type={type} parent={node} />,
  }));
  const change = (selections: graphql.SelectionNode[]) =>
    replace(parent, { ...parent, selectionSet: { kind: Kind.SELECTION_SET, selections } });
  return <Rows rows={[...fields, ...fragments]} nodes={parent.selectionSet?.selections} onChange={change} />;
}

interface InputsProps {
  readonly inputs: readonly edits.Input[];
  readonly parent: graphql.FieldNode | graphql.ObjectValueNode;
}

/** The arguments of a field, or the members of an input object. */
function Inputs({ inputs, parent }: InputsProps) {
  const { replace, id } = useContext(QueryContext);
  const isField = parent.kind === Kind.FIELD;
  const rows: Row<edits.InputNode>[] = inputs.map((input) => ({
    title: input.description,
    added: edits.createInput(isField ? Kind.ARGUMENT : Kind.OBJECT_FIELD, input, id),
    render: (node) => <Value input={input} node={node.value} />,
  }));
  const change = (nodes: edits.InputNode[]) =>
    replace(parent, { ...parent, [isField ? 'arguments' : 'fields']: nodes });
  return <Rows rows={rows} nodes={isField ? parent.arguments : parent.fields} onChange={change} />;
}

/** Edits a value. In a list of objects or enum values, edits the first one. */
function Value({ input, node }: { readonly input: edits.Input; readonly node: graphql.ValueNode }) {
  const { replace } = useContext(QueryContext);
  const type = graphql.getNamedType(input.type);
  const isList = node.kind === Kind.LIST;
  const items = isList ? node.values : [node];
  if (node.kind === Kind.VARIABLE) return <code>${node.name.value}</code>;
  if (graphql.isInputObjectType(type))
    return (
      items[0]?.kind === Kind.OBJECT && <Inputs inputs={Object.values(type.getFields())} parent={items[0]} />
    );
  const texts = items.map((item) => ('value' in item ? String(item.value) : ''));
  const names = graphql.isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
  const choices = type.name === 'Boolean' ? ['true', 'false'] : names;
  const write = ({ target }: { readonly target: { readonly value: string } }) => {
    const values = (isList ? target.value.split(',') : [target.value]).map((text) =>
      choices.includes(text) || (type.name === 'Int' && /^ *-?\d+$/.test(text)) ? text : JSON.stringify(text),
    );
    replace(node, graphql.parseValue(isList ? `[${values}]` : `${values}`));
  };
  if (choices.length === 0) return <input aria-label={input.name} value={texts.join()} onChange={write} />;
  return (
    <select aria-label={input.name} value={texts[0]} onChange={write}>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

interface Row<T> {
  readonly title?: string | null | undefined;
  readonly added: T;
  readonly render: (node: T) => ReactNode;
}

interface RowsProps<T> {
  readonly rows: readonly Row<T>[];
  readonly nodes: readonly T[] | undefined;
  readonly onChange: (nodes: T[]) => void;
}

function Rows<T extends graphql.ASTNode>({ rows, nodes = [], onChange }: RowsProps<T>) {
  return (
    <ul hidden={rows.length === 0}>
      {rows.map(({ title, added, render }) => {
        const label = getLabel(added);
        const node = nodes.find((each) => getLabel(each) === label);
        const next = node ? nodes.filter((each) => each !== node) : [...nodes, added];
        return (
          <li key={label} className={added.kind}>
            <label title={title ?? undefined}>
              <input type="checkbox" checked={node !== undefined} onChange={() => onChange(next)} /> {label}
            </label>{' '}
            {node && render(node)}
          </li>
        );
      })}
    </ul>
  );
}

function getLabel(node: graphql.ASTNode): string {
  if (node.kind === Kind.INLINE_FRAGMENT) return `... on ${node.typeCondition?.name.value}`;
  return 'name' in node ? `${node.name?.value}${'value' in node ? ':' : ''}` : '';
}
