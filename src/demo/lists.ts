import * as access from './access.ts';
import * as records from './data/records.ts';
import { project, readSelection } from './fields.ts';
import { badRequestError, forbidden } from './http.ts';
import * as parameters from './parameters.ts';
import type { Endpoint, World } from './world.ts';

const RETENTION = 90 * 86_400_000;

const { isAfter, isBefore, isExactly, isOneOf } = parameters;
type Filters = Readonly<Record<string, parameters.Filter>>;

const debtorFilters: Filters = {
  ids: isOneOf('id'),
  debtor_numbers: isOneOf('debtor_number'),
  debtor_identifiers: isOneOf('debtor_identifier'),
  updated_after: isAfter('updated_at'),
};

const lineFilters: Filters = {
  ids: isOneOf('id'),
  order_line_identifiers: isOneOf('order_line_identifier'),
  invoice_identifiers: isOneOf('invoice_identifier'),
  claim_status: isExactly(records.claimStatuses, 'claim_status'),
  created_after: isAfter('created_at'),
  created_before: isBefore('created_at'),
  updated_after: isAfter('updated_at'),
};

const deletionFilters = { deleted_after: isAfter('deleted_at'), deleted_before: isBefore('deleted_at') };

const { debtorShape, declarationLineShape, deletedCreditCaseShape, deletedPaymentShape } = records;

export const listEndpoints: readonly Endpoint[] = [
  listOf('debtors', '/v1/debtors', debtorShape, debtorFilters),
  listOf('declarationLines', '/v1/health_care/declaration_lines', declarationLineShape, lineFilters),
  listOf('deletedCreditCases', '/v1/credit_cases/deleted', deletedCreditCaseShape, deletionFilters),
  listOf('deletedPayments', '/v1/payments/deleted', deletedPaymentShape, deletionFilters),
  {
    method: 'GET',
    path: '/v1/companies',
    handle(request, world) {
      const application = access.requireApplication(request);
      if (!access.isAllowedFrom(request.address, application)) {
        throw forbidden(`The application does not allow requests from ${request.address}.`);
      }
      const query = readQuery(request.query, ['fields', 'cursor', 'per_page'], world);
      const isListed = ({ id }: Row) => application.companyIds.includes(id);
      return createPage(world.data.companies, isListed, records.companyShape, query);
    },
  },
];

/** A list of one administration's records, by its name in the data; the permission has the name of the resource. */
function listOf(
  name: 'debtors' | 'declarationLines' | 'deletedCreditCases' | 'deletedPayments',
  path: string,
  shape: records.RecordShape,
  filters: Filters,
): Endpoint {
  const known = ['administration_id', ...Object.keys(filters), 'cursor', 'per_page'];
  if (!('deleted_at' in shape)) known.push('fields');
  return {
    method: 'GET',
    path,
    handle(request, world) {
      const token = access.requireToken(request, world, `${path.split('/')[2]}:read`);
      const query = readQuery(request.query, known, world);
      const { administration_id: wanted } = query;
      if (wanted !== undefined) access.requireAdministration(token, wanted, world);
      // A service that ignores unknown names also ignores a misnamed administration parameter, and returns everything.
      else if (world.unknownParameters === 'refuse' || name === 'debtors')
        throw badRequestError('The administration is missing.');
      const oldest = world.now() - RETENTION;
      const isListed = ({ administration_id = '', deleted_at }: Row) =>
        (wanted ? administration_id === wanted : access.mayAccess(token, administration_id, world)) &&
        !(deleted_at && Date.parse(deleted_at) < oldest);
      if (query.updated_after ?? query.deleted_after) world.onChangesAsked();
      return createPage(world.data[name], isListed, shape, query, filters);
    },
  };
}

/** What a service that ignores unknown names does not know, it does not see. */
function readQuery(
  text: string,
  known: readonly string[],
  { unknownParameters }: World,
): parameters.Parameters {
  const query = parameters.decodePairs(text);
  if (unknownParameters === 'refuse') parameters.rejectUnknown(query, known);
  return Object.fromEntries(known.map((name) => [name, query[name]]));
}

type Row = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly administration_id?: string;
  readonly deleted_at?: string;
};

/**
 * One page of records in the order of their ids; `pagination` is present only if another page follows. Any of the rows
 * can be the cursor, including those that the filters exclude.
 */
function createPage(
  rows: readonly Row[],
  isListed: (row: Row) => boolean,
  shape: records.RecordShape,
  query: parameters.Parameters,
  filters: Filters = {},
) {
  const accepting = Object.entries(filters).flatMap(([name, filter]) => {
    const text = query[name];
    return text === undefined ? [] : [filter(text, name)];
  });
  const { fields, cursor, per_page = '100' } = query;
  const selection = readSelection(fields, shape);
  const perPage = parameters.readInteger(per_page, 'per_page', 1, 500);
  const position = cursor === undefined ? -1 : rows.findIndex((row) => row.id === cursor && isListed(row));
  if (cursor !== undefined && position < 0)
    throw badRequestError(`There is no record ${cursor} to start after.`);

  const page: Row[] = [];
  for (const row of rows.slice(position + 1)) {
    if (!isListed(row) || !accepting.every((accepts) => accepts(row))) continue;
    const last = page.at(-1);
    if (last && page.length === perPage)
      return { data: project(page, selection), pagination: { cursor: last.id } };
    page.push(row);
  }
  return { data: project(page, selection) };
}
