import { fieldsParameter } from './fields.ts';
import { encodeFields, type Part, parametersOf, type Query, queryText } from './query.ts';
import type { CredentialKind, FilterValues, ParameterNames, Resource } from './resource.ts';
import type { Call } from './session.ts';

/** A read of one page. What is sent and what is shown of it is put together only where somebody asks for it. */
export class PageCall implements Call {
  readonly method = 'GET';
  readonly endpoint: string;
  readonly path: string;
  readonly credential: CredentialKind;
  /** Names the place in the list where the page starts, whatever is wanted of its records and however many. */
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

/** The service lists records in its own order, whatever the order of the values that it filters by. */
function sortedFilters(filters: FilterValues): [string, string | readonly string[]][] {
  return Object.entries(filters).map(([argument, value]) => [
    argument,
    typeof value === 'string' ? value : [...value].sort(),
  ]);
}
