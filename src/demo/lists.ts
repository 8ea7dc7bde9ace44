import {
  administrationsOf,
  isAllowedFrom,
  requireAdministration,
  requireApplication,
  requireToken,
} from './access.ts';
import type { Collection } from './collections.ts';
import type { Endpoint } from './endpoint.ts';
import { readSelection } from './fields.ts';
import { badRequest, forbidden } from './http-error.ts';
import { createPage, pageParameters } from './pages.ts';
import { decodePairs, rejectUnknown } from './parameters.ts';
import { companyShape } from './shapes.ts';
import type { AccessToken } from './tokens.ts';
import type { RenameableList, World } from './world.ts';

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
  token: AccessToken,
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
  if (!isLenient) throw badRequest('The administration is missing.');
  return administrationsOf(token, world).map(({ id }) => id);
}
