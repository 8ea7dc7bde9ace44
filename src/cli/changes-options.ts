import { UsageError } from './usage-error.ts';

/** What the command line says, as text. */
export interface ChangesValues {
  readonly administration?: string | undefined;
  readonly kinds?: string | undefined;
  readonly fields?: string | undefined;
  readonly since?: string | undefined;
  readonly after?: string | undefined;
  readonly state?: string | undefined;
  readonly url?: string | undefined;
  readonly quiet?: boolean | undefined;
  readonly 'print-query'?: boolean | undefined;
}

export interface ChangesOptions {
  readonly administration: string;
  /** Undefined for all. */
  readonly kinds: readonly string[] | undefined;
  /** What is selected of each record; undefined for all of its plain fields. */
  readonly fields: string | undefined;
  readonly since: string | undefined;
  readonly after: string | undefined;
  /** The file that says how far it has come. */
  readonly state: string | undefined;
  /** Undefined for that of the environment. */
  readonly url: string | undefined;
  readonly quiet: boolean;
  /** Whether only the document is printed, for a list of trusted ones. */
  readonly printsQuery: boolean;
}

export function readChangesOptions(values: ChangesValues): ChangesOptions {
  const { administration = '', kinds, fields, state, url, quiet = false } = values;
  const printsQuery = values['print-query'] ?? false;
  if (administration === '' && !printsQuery)
    throw new UsageError('changes needs --administration with an id');
  if (state === '') throw new UsageError('--state takes a file');
  if (fields?.trim() === '') throw new UsageError('--fields takes names of fields, as in GraphQL');
  return {
    administration,
    kinds: kinds === undefined ? undefined : readKinds(kinds),
    fields,
    // Empty where a script has no such moment or cursor yet.
    since: values.since || undefined,
    after: values.after || undefined,
    state,
    url,
    quiet,
    printsQuery,
  };
}

function readKinds(text: string): string[] {
  const kinds = text.split(',').map((kind) => kind.trim());
  if (kinds.includes('')) throw new UsageError('--kinds takes kinds separated by commas');
  return [...new Set(kinds)].sort();
}
