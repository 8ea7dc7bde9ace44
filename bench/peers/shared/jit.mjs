// @ts-check
import { compileQuery, isCompiledQuery } from 'graphql-jit';

/** @type {WeakMap<import('graphql').DocumentNode, import('graphql-jit').CompiledQuery>} */
const compiled = new WeakMap();

/**
 * Executes by graphql-jit, compiled once for each document.
 * @param {import('graphql').ExecutionArgs} args
 */
export function executeJit({ schema, document, operationName, rootValue, contextValue, variableValues }) {
  let query = compiled.get(document);
  if (query === undefined) {
    const result = compileQuery(schema, document, operationName ?? undefined);
    if (!isCompiledQuery(result)) return result;
    query = result;
    compiled.set(document, query);
  }
  return query.query(rootValue, contextValue, variableValues ?? {});
}
