// @ts-check
import { Kind, parse, print } from 'graphql';

/** @typedef {import('marked').Token} Token */
/** @typedef {{ query: string, variables?: string, operationName?: string }} Operation */

/**
 * The operations that blocks of code show, by their tokens, and the blocks that are the variables of one. Variables are
 * the JSON directly behind an operation that takes some.
 * @param {readonly Token[]} tokens
 */
export function findOperations(tokens) {
  /** @type {Map<Token, Operation>} */
  const operations = new Map();
  /** @type {Set<Token>} */
  const variables = new Set();
  const blocks = tokens.filter(({ type }) => type !== 'space');
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'code') continue;
    if (block.lang === 'sh') {
      const operation = operationOfCurl(block.text);
      if (operation) operations.set(block, operation);
      continue;
    }
    const definitions = block.lang === 'graphql' ? operationsOf(block.text) : [];
    if (definitions.length === 0) continue;
    const next = blocks[index + 1];
    const takesVariables = definitions.some(({ variableDefinitions }) => variableDefinitions?.length);
    const given = takesVariables && next?.type === 'code' && next.lang === 'json' ? next : undefined;
    if (given) variables.add(given);
    operations.set(block, { query: block.text, ...(given && { variables: given.text }) });
  }
  return { operations, variables };
}

/**
 * What stands behind the `#` of a link that opens an operation in GraphiQL.
 * @param {Operation} operation
 */
export function linkTo(operation) {
  return new URLSearchParams({ ...operation }).toString();
}

/**
 * The operation that a command sends, written over several lines; undefined if it sends none.
 * @param {string} command
 * @returns {Operation | undefined}
 */
function operationOfCurl(command) {
  const { query, variables, operationName } = parametersOfCurl(command);
  if (typeof query !== 'string' || operationsOf(query).length === 0) return undefined;
  return {
    query: print(parse(query)),
    ...(variables && { variables: JSON.stringify(variables, null, 2) }),
    ...(operationName && { operationName }),
  };
}

/** @param {string} command */
function parametersOfCurl(command) {
  const [, body] = /^curl .* -d '([^']*)'/s.exec(command) ?? [];
  if (body !== undefined) return jsonObject(body);
  const pairs = Array.from(command.matchAll(/--data-urlencode '(\w+)=([^']*)'/g), ([, name, value = '']) => [
    name,
    name === 'variables' ? jsonObject(value) : value,
  ]);
  return Object.fromEntries(pairs);
}

/**
 * Empty for what is no JSON object, such as one with parts left out.
 * @param {string} text
 */
function jsonObject(text) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? {} : value;
  } catch {
    return {};
  }
}

/**
 * Empty for what does not parse, such as an example of a mistake.
 * @param {string} document
 */
function operationsOf(document) {
  try {
    const { definitions } = parse(document);
    return definitions.flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? [each] : []));
  } catch {
    return [];
  }
}
