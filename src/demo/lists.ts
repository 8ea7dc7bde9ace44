import {
  administrationsOfToken,
  isAllowedFrom,
  requireAdministration,
  requireApplication,
  requireToken,
} from './access.ts';
import type { IssuedToken, Permission } from './applications.ts';
import {
  claimStatuses,
  companyShape,
  debtorShape,
  declarationLineShape,
  deletedCreditCaseShape,
  deletedPaymentShape,
  type RecordShape,
} from './data/records.ts';
import { project, readSelection } from './fields.ts';
import { badRequestError, forbidden } from './http.ts';
import {
  decodePairs,
  type Filter,
  isAfter,
  isBefore,
  isExactly,
  isOneOf,
  readInteger,
  rejectUnknown,
} from './parameters.ts';
import type { Endpoint, RenameableList, World } from './world.ts';

const RETENTION = 90 * 86_400_000;

/** A list of one administration's records, by its name in the data. */
interface Collection {
  readonly list: 'debtors' | RenameableList;
  readonly path: string;
  readonly scope: Permission;
  readonly shape: RecordShape;
  readonly filters: Readonly<Record<string, Filter>>;
}

const deletionFilters = { deleted_after: isAfter('deleted_at'), deleted_before: isBefore('deleted_at') };

const collections: readonly Collection[] = [
  {
    list: 'debtors',
    path: '/v1/debtors',
    scope: 'debtors:read',
    shape: debtorShape,
    filters: {
      ids: isOneOf('id'),
      debtor_numbers: isOneOf('debtor_number'),
      debtor_identifiers: isOneOf('debtor_identifier'),
      updated_after: isAfter('updated_at'),
    },
  },
  {
    list: 'declarationLines',
    path: '/v1/health_care/declaration_lines',
    scope: 'health_care:read',
    shape: declarationLineShape,
    filters: {
      ids: isOneOf('id'),
      order_line_identifiers: isOneOf('order_line_identifier'),
      invoice_identifiers: isOneOf('invoice_identifier'),
      claim_status: isExactly(claimStatuses, 'claim_status'),
      created_after: isAfter('created_at'),
      created_before: isBefore('created_at'),
      updated_after: isAfter('updated_at'),
    },
  },
  {
    list: 'deletedCreditCases',
    path: '/v1/credit_cases/deleted',
    scope: 'credit_cases:read',
    shape: deletedCreditCaseShape,
    filters: deletionFilters,
  },
  {
    list: 'deletedPayments',
    path: '/v1/payments/deleted',
    scope: 'payments:read',
    shape: deletedPaymentShape,
    filters: deletionFilters,
  },
];

const pageParameters = ['cursor', 'per_page'];

export const listEndpoints = collections.map((collection): Endpoint => {
  const { list, path, scope, shape, filters } = collection;
  const known = ['administration_id', ...Object.keys(filters), ...pageParameters];
  if (!('deleted_at' in shape)) known.push('fields');
  return {
    method: 'GET',
    path,
    handle(request, world) {
      const token = requireToken(request, world, scope);
      const renamed = list === 'debtors' ? {} : world.parameterNames[list];
      const parameters = readQuery(request.query, known, world, renamed);
      const administrations = chooseAdministrations(token, collection, parameters, world);
      const oldest = world.now() - RETENTION;
      const isListed = ({ administration_id = '', deleted_at }: Row) =>
        administrations.includes(administration_id) &&
        !(deleted_at !== undefined && Date.parse(deleted_at) < oldest);
      return createPage(world.data[list], isListed, shape, parameters, world, filters);
    },
  };
});

export const companiesEndpoint: Endpoint = {
  method: 'GET',
  path: '/v1/companies',
  handle(request, world) {
    const application = requireApplication(request);
    if (!isAllowedFrom(request.address, application)) {
      throw forbidden(`The application does not allow requests from ${request.address}.`);
    }
    const parameters = readQuery(request.query, ['fields', ...pageParameters], world);
    const isListed = ({ id }: Row) => application.companyIds.includes(id);
    return createPage(world.data.companies, isListed, companyShape, parameters, world);
  },
};

type Parameters = ReadonlyMap<string, string>;

/** Returns the parameters under their default names, however they are named in this world. */
function readQuery(
  query: string,
  known: readonly string[],
  world: World,
  renamed: Readonly<Record<string, string>> = {},
): Parameters {
  const nameOf = (name: string) => renamed[name] ?? name;
  const sent = decodePairs(query);
  if (world.unknownParameters === 'refuse') rejectUnknown(sent.keys(), known.map(nameOf));
  return new Map(
    known.flatMap((name) => {
      const value = sent.get(nameOf(name));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * The requested administrations. A service that ignores unknown names would also ignore a misnamed administration
 * parameter, and return everything that the token can access.
 */
function chooseAdministrations(
  token: IssuedToken,
  { list }: Collection,
  parameters: Parameters,
  world: World,
): readonly string[] {
  const administrationId = parameters.get('administration_id');
  if (administrationId !== undefined) {
    requireAdministration(token, administrationId, world);
    return [administrationId];
  }
  const isLenient = list !== 'debtors' && world.unknownParameters === 'ignore';
  if (!isLenient) throw badRequestError('The administration is missing.');
  return administrationsOfToken(token, world).map(({ id }) => id);
}

type Row = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly administration_id?: string;
  readonly deleted_at?: string;
};

/**
 * One page of records in the order of their ids; `pagination` is present only if another page follows. Any of the listed
 * records can be the cursor, including those that the filters exclude.
 */
function createPage(
  records: readonly Row[],
  isListed: (record: Row) => boolean,
  shape: RecordShape,
  parameters: Parameters,
  { maxPerPage }: World,
  filters: Collection['filters'] = {},
) {
  const accepting = Object.entries(filters).flatMap(([name, filter]) => {
    const text = parameters.get(name);
    return text === undefined ? [] : [filter(text, name)];
  });
  const selection = readSelection(parameters.get('fields'), shape);
  const asked = readInteger(parameters.get('per_page') ?? '100', 'per_page', 1, 500);
  const perPage = Math.min(asked, maxPerPage);

  const cursor = parameters.get('cursor');
  const position =
    cursor === undefined ? -1 : records.findIndex((record) => record.id === cursor && isListed(record));
  if (cursor !== undefined && position < 0) {
    throw badRequestError(`There is no record ${cursor} to start after.`);
  }
  const matching: Row[] = [];
  for (let index = position + 1; index < records.length && matching.length <= perPage; index += 1) {
    const record = records[index];
    if (record && isListed(record) && accepting.every((accepts) => accepts(record))) matching.push(record);
  }
  const page = matching.slice(0, perPage);
  const last = page.at(-1);
  return {
    data: page.map((record) => project(record, selection)),
    ...(last && matching.length > perPage && { pagination: { cursor: last.id } }),
  };
}
