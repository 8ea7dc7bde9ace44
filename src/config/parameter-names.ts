import { isObject, parseJson } from '../rest/json.ts';
import type { ParameterNames, Resource } from '../rest/resource.ts';
import { ConfigError } from './error.ts';
import type { Parse } from './setting.ts';

const PAGE_PARAMETERS = ['fields', 'cursor', 'per_page'];

export const parameterNames: Parse<ParameterNames> = (text, setting, { resources }) => {
  const faults: string[] = [];
  const names = readNames(text, resources, (problem) => faults.push(`${setting}: ${problem}`));
  if (faults.length > 0) throw new ConfigError(faults);
  return names;
};

function readNames(
  text: string,
  resources: readonly Resource[],
  fault: (problem: string) => void,
): ParameterNames {
  const parsed = parseJson(text);
  if (!isObject(parsed)) {
    fault('takes a JSON object, such as {"declarationLines":{"createdAfter":"created_from"}}.');
    return {};
  }
  const names: Record<string, Record<string, string>> = {};
  for (const [field, renamed] of Object.entries(parsed)) {
    const resource = resources.find(({ name }) => name === field);
    if (!resource) {
      fault(
        `${JSON.stringify(field)} is not a list; there are ${resources.map(({ name }) => name).join(', ')}.`,
      );
    } else if (!isObject(renamed)) {
      fault(`"${field}" takes an object of arguments and parameter names.`);
    } else {
      names[field] = readRenamed(resource, renamed, fault);
    }
  }
  return names;
}

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
