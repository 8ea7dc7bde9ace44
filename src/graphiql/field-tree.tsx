import { FieldIcon, useGraphiQL, useOperationsEditorState } from '@graphiql/react';
import { fillLeafs } from '@graphiql/toolkit';
import * as graphql from 'graphql';
import { replaceText, useEditors } from './editors.ts';
import * as edits from './query-edits.ts';
import type { Session } from './session.ts';

interface Tree {
  readonly schema: graphql.GraphQLSchema;
  readonly query: string;
  readonly setQuery: (query: string) => void;
  /** The administration as GraphQL text: a variable or a literal. */
  readonly id: string;
}

/** Returns a panel with checkboxes for fields and arguments, which edits the query. */
export function createFieldPanel(session: Session) {
  return { title: 'Fields', icon: FieldIcon, content: () => <FieldTree session={session} /> };
}

function FieldTree({ session }: { readonly session: Session }) {
  const schema = useGraphiQL((state) => state.schema);
  const name = useGraphiQL((state) => state.operationName);
  const { queryEditor } = useEditors();
  const [query] = useOperationsEditorState();
  const operations = parseOperations(query);
  if (!operations || !schema)
    return <p>{operations ? '' : 'Fix the syntax error in the query to choose fields.'}</p>;
  const operation = operations.find((each) => each.name?.value === name) ?? operations[0];
  const isDeclared = query.includes('$administrationId:');
  const id = isDeclared ? '$administrationId' : JSON.stringify(session.get().administrationId);
  const setQuery = (text: string) =>
    replaceText(queryEditor, fillLeafs(schema, text, edits.getDefaultFieldNames).result ?? text);
  const kinds = operation ? [operation.operation] : Object.values(graphql.OperationTypeNode);
  return kinds.map((kind) => {
    const type = schema.getRootType(kind);
    const write = (text: string) => `${query && '\n'}${kind} {\n  ${text}\n}`;
    const list = operation ? edits.getSelections(operation) : { nodes: [], start: query.length, write };
    const items = type ? edits.getItems(type, schema) : [];
    return (
      <section key={kind} className="field-tree" aria-label={`Fields of the ${kind}`}>
        <strong>{kind}</strong>
        <Items tree={{ schema, query, setQuery, id }} list={list} items={items} />
      </section>
    );
  });
}

/** Returns the operations of a query; undefined if it has a syntax error. */
function parseOperations(query: string): graphql.OperationDefinitionNode[] | undefined {
  try {
    // With the fragment, the query may be empty.
    const { definitions } = graphql.parse(`${query}\nfragment Any on Any { any }`);
    return definitions.filter((definition) => definition.kind === graphql.Kind.OPERATION_DEFINITION);
  } catch {
    return undefined;
  }
}

interface ItemsProps {
  readonly tree: Tree;
  readonly list: ReturnType<typeof edits.getSelections>;
  readonly items: readonly edits.Item[];
}

function Items({ tree, list, items }: ItemsProps) {
  const { schema, query, setQuery, id } = tree;
  return (
    <ul hidden={items.length === 0}>
      {items.map((item) => {
        const text = edits.writeItem(item, id);
        const [label] = /^(\.\.\. on )?\w+:?/.exec(text) ?? [];
        const node = list.nodes.find(
          (each) =>
            (each.kind === graphql.Kind.INLINE_FRAGMENT ? each.typeCondition : each)?.name.value ===
            item.name,
        );
        const toggle = () =>
          setQuery(node ? edits.removeNode(query, list, node) : edits.addNode(query, list, text));
        const type: graphql.GraphQLNamedType = graphql.getNamedType('type' in item ? item.type : item);
        return (
          <li key={label}>
            <label title={item.description ?? undefined}>
              <input type="checkbox" checked={node !== undefined} onChange={toggle} />
              <span>{label?.split(/(?=[A-Z])/).flatMap((word) => [<wbr key={word} />, word])}</span>
            </label>{' '}
            {node && 'args' in item && 'arguments' in node && (
              <Items tree={tree} list={edits.getArguments(node)} items={item.args} />
            )}
            {node && 'value' in node && <Value tree={tree} label={item.name} type={type} node={node.value} />}
            {node && 'selectionSet' in node && (
              <Items tree={tree} list={edits.getSelections(node)} items={edits.getItems(type, schema)} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface ValueProps {
  readonly tree: Tree;
  readonly label: string;
  readonly type: graphql.GraphQLNamedType;
  readonly node: graphql.ValueNode;
}

/** Edits a value. In a list of objects or enum values, edits the first one. */
function Value({ tree, label, type, node }: ValueProps) {
  const { query, setQuery } = tree;
  const isList = node.kind === graphql.Kind.LIST;
  const items = isList ? node.values : [node];
  if (graphql.isInputObjectType(type))
    return (
      items[0]?.kind === graphql.Kind.OBJECT && (
        <Items tree={tree} list={edits.getObjectFields(items[0])} items={Object.values(type.getFields())} />
      )
    );
  if (node.kind === graphql.Kind.VARIABLE) return <code>{graphql.print(node)}</code>;
  const names = graphql.isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
  const choices = type.name === 'Boolean' ? ['true', 'false'] : names;
  const format = (text: string) =>
    choices.includes(text) || (type.name === 'Int' && /^ *-?\d+$/.test(text)) ? text : JSON.stringify(text);
  const props = {
    'aria-label': label,
    value: items.map((item) => ('value' in item ? String(item.value) : '')).join(),
    onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) =>
      setQuery(edits.replaceNode(query, node, isList ? `[${value.split(',').map(format)}]` : format(value))),
  };
  if (choices.length === 0) return <input {...props} />;
  return (
    <select {...props}>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}
