import * as access from './access.ts';
import type { RecordShape } from './data/records.ts';
import * as records from './data/records.ts';
import { project, readSelection } from './fields.ts';
import { badRequestError, decodePairs, forbidden, type Parameters, rejectUnknown } from './http.ts';
import type { Handler, ServiceState } from './service-state.ts';

const RETENTION = 90 * 86_400_000;

/** Parses a UTC timestamp into milliseconds. Rejects days that do not exist. */
function parseTimestamp(text: string, name: string): number {
  const isUtc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(text);
  const time = isUtc ? Date.parse(text) : Number.NaN;
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 19));
  if (exists) return time;
  throw badRequestError(`${name} must be a timestamp in UTC such as 2025-01-31T12:00:00Z, not ${text}.`);
}

/** Parses a parameter and returns a predicate for records. */
type Filter = (text: string, name: string) => (record: Readonly<Record<string, unknown>>) => boolean;

/** Matches a comma-separated list. Rejects empty items. */
function isOneOf(field: string): Filter {
  return (text, name) => {
    const wanted = new Set<unknown>(text.split(','));
    if (wanted.has('')) throw badRequestError(`${name} has an empty value in its list.`);
    return (record) => wanted.has(record[field]);
  };
}

function isExactly(allowed: readonly string[], field: string): Filter {
  return (text, name) => {
    if (allowed.includes(text)) return (record) => record[field] === text;
    throw badRequestError(`${name} must be one of ${allowed.join(', ')}, not ${text}.`);
  };
}

const compareTime =
  (isMatch: (time: number, limit: number) => boolean) =>
  (field: string): Filter =>
  (text, name) => {
    const limit = parseTimestamp(text, name);
    return (record) => isMatch(Date.parse(String(record[field])), limit);
  };

const isAfter = compareTime((time, limit) => time > limit);
const isBefore = compareTime((time, limit) => time < limit);

type Filters = Readonly<Record<string, Filter>>;

export const listDebtors = createList('debtors', records.debtorShape, {
  ids: isOneOf('id'),
  debtor_numbers: isOneOf('debtor_number'),
  debtor_identifiers: isOneOf('debtor_identifier'),
  updated_after: isAfter('updated_at'),
});

export const listDeclarationLines = createList('declarationLines', records.declarationLineShape, {
  ids: isOneOf('id'),
  order_line_identifiers: isOneOf('order_line_identifier'),
  invoice_identifiers: isOneOf('invoice_identifier'),
  claim_status: isExactly(records.claimStatuses, 'claim_status'),
  created_after: isAfter('created_at'),
  created_before: isBefore('created_at'),
  updated_after: isAfter('updated_at'),
});

const byDeletion = { deleted_after: isAfter('deleted_at'), deleted_before: isBefore('deleted_at') };
export const listDeletedCases = createList('deletedCreditCases', records.deletedCaseShape, byDeletion);
export const listDeletedPayments = createList('deletedPayments', records.deletedPaymentShape, byDeletion);

export const listCompanies: Handler = (request, state) => {
  const application = access.requireApplication(request);
  if (!access.isAllowedFrom(request.address, application)) {
    throw forbidden(`The application does not allow requests from ${request.address}.`);
  }
  const query = readQuery(request.query, ['fields', 'cursor', 'per_page'], state);
  const rows = state.data.companies.filter(({ id }) => application.companyIds.includes(id));
  return createPage(rows, records.companyShape, query);
};

/** Creates the handler of a list. Its scope is the first segment of its path after the version. */
function createList(
  name: 'debtors' | 'declarationLines' | 'deletedCreditCases' | 'deletedPayments',
  shape: RecordShape,
  filters: Filters,
): Handler {
  const parameters = ['administration_id', ...Object.keys(filters), 'cursor', 'per_page'];
  if (!('deleted_at' in shape)) parameters.push('fields');
  return (request, state) => {
    const token = access.requireToken(request, state, `${request.path.split('/')[2]}:read`);
    const query = readQuery(request.query, parameters, state);
    const { administration_id: administrationId } = query;
    if (administrationId !== undefined) access.requireAdministration(token, administrationId, state);
    // A service that ignores unknown parameters also ignores a misspelled administration, and returns everything.
    else if (state.unknownParameters === 'reject' || name === 'debtors')
      throw badRequestError('The administration is missing.');
    if (query.updated_after ?? query.deleted_after) state.onChangesAsked();
    const oldest = state.now() - RETENTION;
    const rows = state.data[name].filter(
      (row: Row) =>
        (administrationId
          ? row.administration_id === administrationId
          : access.mayAccess(token, row.administration_id ?? '', state)) &&
        !(row.deleted_at && Date.parse(row.deleted_at) < oldest),
    );
    return createPage(rows, shape, query, filters);
  };
}

/** Returns the known parameters. */
function readQuery(text: string, known: readonly string[], { unknownParameters }: ServiceState): Parameters {
  const query = decodePairs(text);
  if (unknownParameters === 'reject') rejectUnknown(query, known);
  return Object.fromEntries(known.map((name) => [name, query[name]]));
}

type Row = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly administration_id?: string;
  readonly deleted_at?: string;
};

/**
 * Returns one page of records, sorted by id; `pagination` is present only if another page follows. The cursor may be a row
 * that the filters exclude.
 */
function createPage(rows: readonly Row[], shape: RecordShape, query: Parameters, filters: Filters = {}) {
  const predicates = Object.entries(filters).flatMap(([name, filter]) => {
    const text = query[name];
    return text === undefined ? [] : [filter(text, name)];
  });
  const { fields, cursor, per_page = '100' } = query;
  const selection = readSelection(fields, shape);
  const perPage = /^\d+$/.test(per_page) ? Number(per_page) : 0;
  if (perPage < 1 || perPage > 500) throw badRequestError(`per_page must be from 1 to 500, not ${per_page}.`);
  const position = rows.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && position < 0)
    throw badRequestError(`There is no record ${cursor} to start after.`);
  const matches = rows.slice(position + 1).filter((row) => predicates.every((accepts) => accepts(row)));
  const page = matches.slice(0, perPage);
  const data = project(page, selection);
  return matches.length > perPage ? { data, pagination: { cursor: page.at(-1)?.id } } : { data };
}
