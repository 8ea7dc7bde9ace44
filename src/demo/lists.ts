import {
  administrationsOfToken,
  isAllowedFrom,
  requireAdministration,
  requireApplication,
  requireToken,
} from './access.ts';
import type { Collection } from './collections.ts';
import { project, readSelection, type Selection } from './fields.ts';
import { badRequestError, forbidden } from './http.ts';
import { decodePairs, readInteger, rejectUnknown } from './parameters.ts';
import { companyShape } from './shapes.ts';
import type { Endpoint, IssuedToken, RenameableList, World } from './world.ts';

type Owned = Readonly<Record<string, unknown>> & { readonly id: string; readonly administration_id: string };

export function listEndpoint<R extends Owned>(collection: Collection<R>): Endpoint {
  return {
    method: 'GET',
    path: collection.path,
    handle(request, world) {
      const token = requireToken(request, world, collection.scope);
      const parameters = readQuery(request.query, parametersOf(collection), world, collection.renameable);
      const administrations = chooseAdministrations(token, collection, parameters, world);
      const records = collection.records(world.data, world.now());
      return createPage({
        records: records.filter((record) => administrations.includes(record.administration_id)),
        filters: Object.entries(collection.filters).flatMap(([name, filter]) => {
          const text = parameters.get(name);
          return text === undefined ? [] : [filter(text, name)];
        }),
        selection: readSelection(parameters.get('fields'), collection.shape),
        parameters,
        maxPerPage: world.maxPerPage,
      });
    },
  };
}

/** Lists the companies connected to the calling application. */
export const companiesEndpoint: Endpoint = {
  method: 'GET',
  path: '/v1/companies',
  handle(request, world) {
    const application = requireApplication(request);
    if (!isAllowedFrom(request.address, application)) {
      throw forbidden(`The application does not allow requests from ${request.address}.`);
    }
    const parameters = readQuery(request.query, ['fields', ...pageParameters], world);
    return createPage({
      records: world.data.companies.filter(({ id }) => application.companyIds.includes(id)),
      filters: [],
      selection: readSelection(parameters.get('fields'), companyShape),
      parameters,
      maxPerPage: world.maxPerPage,
    });
  },
};

function parametersOf<R>({ filters, takesFields }: Collection<R>): readonly string[] {
  const names = ['administration_id', ...Object.keys(filters), ...pageParameters];
  return takesFields ? [...names, 'fields'] : names;
}

/** Returns the parameters under their default names, however they are named in this world. */
function readQuery(query: string, known: readonly string[], world: World, list?: RenameableList) {
  const renamed = list ? world.parameterNames[list] : undefined;
  const nameOf = (name: string) => renamed?.[name] ?? name;
  const sent = decodePairs(query);
  if (world.unknownParameters === 'refuse') rejectUnknown(sent.keys(), known.map(nameOf));

  const parameters = new Map<string, string>();
  for (const name of known) {
    const value = sent.get(nameOf(name));
    if (value !== undefined) parameters.set(name, value);
  }
  return parameters;
}

/**
 * The requested administrations. A service that ignores unknown names would also ignore a misnamed administration
 * parameter, and return everything that the token can access.
 */
function chooseAdministrations<R>(
  token: IssuedToken,
  collection: Collection<R>,
  parameters: ReadonlyMap<string, string>,
  world: World,
): readonly string[] {
  const administrationId = parameters.get('administration_id');
  if (administrationId !== undefined) {
    requireAdministration(token, administrationId, world);
    return [administrationId];
  }
  const isLenient = collection.renameable && world.unknownParameters === 'ignore';
  if (!isLenient) throw badRequestError('The administration is missing.');
  return administrationsOfToken(token, world).map(({ id }) => id);
}

type Identified = Readonly<Record<string, unknown>> & { readonly id: string };

const pageParameters = ['cursor', 'per_page'] as const;

interface Listing<R> {
  /** Ordered by id. Any of these can be the cursor, including those that the filters exclude. */
  records: readonly R[];
  filters: readonly ((record: R) => boolean)[];
  selection: Selection;
  parameters: ReadonlyMap<string, string>;
  maxPerPage: number;
}

/** One page of a list; `pagination` is present only if another page follows. */
function createPage<R extends Identified>(listing: Listing<R>) {
  const { records, filters, selection, parameters, maxPerPage } = listing;
  const asked = readInteger(parameters.get('per_page') ?? '100', 'per_page', 1, 500);
  const perPage = Math.min(asked, maxPerPage);
  const matching = recordsAfter(parameters.get('cursor'), records).filter((record) =>
    filters.every((accepts) => accepts(record)),
  );
  const page = matching.slice(0, perPage);
  const last = page.at(-1);
  return {
    data: page.map((record) => project(record, selection)),
    ...(last && matching.length > perPage && { pagination: { cursor: last.id } }),
  };
}

function recordsAfter<R extends Identified>(cursor: string | undefined, records: readonly R[]): readonly R[] {
  if (cursor === undefined) return records;
  const position = records.findIndex(({ id }) => id === cursor);
  if (position < 0) throw badRequestError(`There is no record ${cursor} to start after.`);
  return records.slice(position + 1);
}
