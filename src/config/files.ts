import { isObject, parseJson } from '../rest/json.ts';
import type { ParameterNames, Resource } from '../rest/resource.ts';
import { ConfigError, contentOf, fault, type Parse } from './setting.ts';

export const jsonObject: Parse<{ readonly [name: string]: unknown }> = (text, name) => {
  const parsed = parseJson(text);
  if (isObject(parsed)) return parsed;
  throw fault(`${name} takes a JSON object, such as {"declarationLines":{"createdAfter":"created_from"}}.`);
};

/** Other names for the query parameters of lists, by the names of lists and of their arguments. */
export function parameterNames(
  given: { readonly [list: string]: unknown },
  resources: readonly Resource[],
  fault: (problem: string) => void,
): ParameterNames {
  const names: Record<string, Record<string, string>> = {};
  for (const [list, renamed] of Object.entries(given)) {
    const resource = resources.find(({ name }) => name === list);
    const lists = resources.map(({ name }) => name).join(', ');
    if (!resource) fault(`${JSON.stringify(list)} is not a list; there are ${lists}.`);
    else if (!isObject(renamed)) fault(`"${list}" takes an object of arguments and parameter names.`);
    else names[list] = readRenamed(resource, renamed, fault);
  }
  return names;
}

function readRenamed(
  { name: list, filters }: Resource,
  renamed: { readonly [argument: string]: unknown },
  fault: (problem: string) => void,
): Record<string, string> {
  const names: Record<string, string> = {};
  for (const [argument, name] of Object.entries(renamed)) {
    const allowed = Object.keys(filters).join(', ');
    if (filters[argument] === undefined)
      fault(`"${list}" has no argument ${JSON.stringify(argument)}; it has ${allowed}.`);
    else if (typeof name === 'string' && /^[\w.[\]-]+$/.test(name)) names[argument] = name;
    else fault(`"${list}" takes for "${argument}" a name of letters, digits, "_", "-", "." and brackets.`);
  }
  return names;
}

/** Hashes in messages are truncated, since they may be any text. */
export const MAX_HASH_LENGTH = 80;

/** The documents are validated against the schema later, by `checkTrustedDocuments`. */
export const trustedDocuments: Parse<ReadonlyMap<string, string>> = (path, name) => {
  const content = contentOf(path);
  if (content === undefined) throw fault(`${name} takes the path of a file that can be read.`);
  const parsed = parseJson(content);
  const documents = Object.entries(isObject(parsed) ? parsed : {});
  if (documents.length === 0)
    throw fault(`${name} takes a file of documents by their hashes in JSON, as graphql-codegen writes it.`);
  const wrong = documents.filter(([, document]) => typeof document !== 'string');
  const shown = (hash: string) => JSON.stringify(hash.slice(0, MAX_HASH_LENGTH));
  if (wrong.length > 0)
    throw new ConfigError(wrong.map(([hash]) => `${name}: ${shown(hash)} takes the text of a document.`));
  return new Map(documents.map(([hash, document]) => [hash, String(document)]));
};
