import { fieldsParameter } from './fields.ts';
import { encodeFields, type Part, parametersOf, type Query, queryText } from './query.ts';
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

  constructor(resource: Resource, names: ParameterNames, part: Part, query: Query) {
    this.endpoint = resource.endpoint;
    this.path = resource.path;
    this.credential = resource.credential;
    this.key = JSON.stringify([resource.path, sortedFilters(query.filters), query.cursor]);
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

/** Filters with sorted values: the service returns records in its own order, whatever the order of the values. */
function sortedFilters(filters: FilterValues): [string, string | readonly string[]][] {
  return Object.entries(filters).map(([argument, value]) => [
    argument,
    typeof value === 'string' ? value : [...value].sort(),
  ]);
}
