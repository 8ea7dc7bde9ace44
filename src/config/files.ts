import { isObject, parseJson } from '../rest/json.ts';
import type { ParameterNames, Resource } from '../rest/resource.ts';
import { ConfigError, contentOf, fault, type Parse } from './setting.ts';

const PAGE_PARAMETERS = ['fields', 'cursor', 'per_page'];

export const parameterNames: Parse<ParameterNames> = (text, setting, { resources }) => {
  const faults: string[] = [];
  const fault = (problem: string) => void faults.push(`${setting}: ${problem}`);
  const parsed = parseJson(text);
  if (!isObject(parsed))
    fault('takes a JSON object, such as {"declarationLines":{"createdAfter":"created_from"}}.');
  const names: Record<string, Record<string, string>> = {};
  for (const [field, renamed] of Object.entries(isObject(parsed) ? parsed : {})) {
    const resource = resources.find(({ name }) => name === field);
    const lists = resources.map(({ name }) => name).join(', ');
    if (!resource) fault(`${JSON.stringify(field)} is not a list; there are ${lists}.`);
    else if (!isObject(renamed)) fault(`"${field}" takes an object of arguments and parameter names.`);
    else names[field] = readRenamed(resource, renamed, fault);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return names;
};

function readRenamed(
  resource: Resource,
  renamed: { readonly [argument: string]: unknown },
  fault: (problem: string) => void,
): Record<string, string> {
  const names: Record<string, string> = {};
  const taken = new Set(PAGE_PARAMETERS);
  for (const [argument, { name }] of Object.entries(resource.filters)) {
    if (!(argument in renamed)) taken.add(name);
  }
  for (const [argument, name] of Object.entries(renamed)) {
    const place = `"${resource.name}"`;
    if (resource.filters[argument] === undefined) {
      const allowed = Object.keys(resource.filters).join(', ') || 'none';
      fault(`${place} has no argument ${JSON.stringify(argument)}; it has ${allowed}.`);
    } else if (typeof name !== 'string' || !/^[\w.[\]-]+$/.test(name)) {
      fault(`${place} takes for "${argument}" a name of letters, digits, "_", "-", "." and brackets.`);
    } else if (taken.has(name)) {
      fault(`${place} has more than one parameter called "${name}".`);
    } else {
      taken.add(name);
      names[argument] = name;
    }
  }
  return names;
}

/** Hashes in messages are truncated, since they may be any text. */
export const MAX_HASH_LENGTH = 80;

/** The documents are validated against the schema later, by `checkTrustedDocuments`. */
export const trustedDocuments: Parse<ReadonlyMap<string, string>> = (path, name) => {
  const content = contentOf(path);
  if (content === undefined) throw fault(`${name} takes the path of a file that can be read.`);
  const parsed = parseJson(content.toString());
  if (!isObject(parsed) || Object.keys(parsed).length === 0) {
    throw fault(`${name} takes a file of documents by their hashes in JSON, as graphql-codegen writes it.`);
  }
  const documents = new Map<string, string>();
  const faults: string[] = [];
  for (const [hash, document] of Object.entries(parsed)) {
    if (typeof document === 'string') documents.set(hash, document);
    else
      faults.push(`${name}: ${JSON.stringify(hash.slice(0, MAX_HASH_LENGTH))} takes the text of a document.`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return documents;
};
