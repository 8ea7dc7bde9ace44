import { GraphQLWorker } from 'monaco-graphql/esm/GraphQLWorker.js';
import 'monaco-graphql/esm/graphql.worker.js';

const { doComplete } = GraphQLWorker.prototype;

/** Completes fields in the order of the schema, and puts the cursor into one place at a time. */
GraphQLWorker.prototype.doComplete = async function (...position) {
  const items = await doComplete.apply(this, position);
  return items.map(({ sortText = '', insertText = '', ...item }) => ({
    ...item,
    // It starts with an index: without padding, 10 sorts before 2.
    sortText: sortText.replace(/^\d+/, (index) => index.padStart(4, '0')),
    // The braces come after the arguments, not at the same time.
    ...(insertText && { insertText: insertText.replace(/(?<=\).*)\$1(?=\n)/s, '$$0') }),
  }));
};
