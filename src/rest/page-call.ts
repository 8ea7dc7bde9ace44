import { compositeKey } from '../composite-key.ts';
import { fieldsParameter } from './fields.ts';
import { encodeFields, encodeFilters, type Part, parametersOf, type Query, queryText } from './query.ts';
import type { CredentialKind, FilterValues, ParameterNames, Resource } from './resource.ts';
import type { Call } from './session.ts';

/** A read of one page. Its query and parameters are built only when used. */
export class PageCall implements Call {
  readonly method = 'GET';
  readonly endpoint: string;
  readonly path: string;
  readonly credential: CredentialKind;
  /** Identifies the list and the position where the page starts, regardless of the fields and the page size. */
  readonly key: string;
  readonly #resource: Resource;
  readonly #names: ParameterNames;
  readonly #query: Query;
  readonly #text: string;

  /** `isKept`: the page itself is cached, so that its key is the same in whichever order values are given. */
  constructor(resource: Resource, names: ParameterNames, part: Part, query: Query, isKept: boolean) {
    this.endpoint = resource.endpoint;
    this.path = resource.path;
    this.credential = resource.credential;
    const filters = isKept && hasSeveralValues(part.filters) ? sortedText(resource, names, part) : part.text;
    this.key = compositeKey(resource.path, filters, query.cursor);
    this.#text = queryText(part.text, query.cursor, query.perPage);
    this.#resource = resource;
    this.#names = names;
    this.#query = query;
  }

  get query() {
    return this.#resource.takesFields ? `${this.#text}&${encodeFields(this.#query.fields)}` : this.#text;
  }

  get parameters() {
    const parameters = parametersOf(this.#resource, this.#names, this.#query);
    if (!this.#resource.takesFields) return parameters;
    return { ...parameters, fields: fieldsParameter(this.#query.fields) };
  }
}

/** The service returns records in its own order, whatever the order of the values. */
function sortedText(resource: Resource, names: ParameterNames, { filters }: Part): string {
  return encodeFilters(resource, names, sortedFilters(filters));
}

function hasSeveralValues(filters: FilterValues): boolean {
  for (const argument in filters) {
    const value = filters[argument];
    if (Array.isArray(value) && value.length > 1) return true;
  }
  return false;
}

function sortedFilters(filters: FilterValues): FilterValues {
  return Object.fromEntries(
    Object.entries(filters).map(([argument, value]) => [
      argument,
      typeof value === 'string' ? value : [...value].sort(),
    ]),
  );
}
