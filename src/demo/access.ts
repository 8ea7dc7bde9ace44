import { type Application, applications, type IssuedToken } from './applications.ts';
import { type DemoRequest, forbidden, HttpError } from './http.ts';
import type { ServiceState } from './service-state.ts';

/** Returns the caller's token if it is active, used from an allowed address and has the scope; throws otherwise. */
export function requireToken(request: DemoRequest, state: ServiceState, scope: string): IssuedToken {
  const token = state.tokens.findAccess(parseCredential(request, 'Bearer'));
  if (!token) throw unauthenticated('Bearer', 'The token is unknown, expired or revoked.');
  if (!isAllowedFrom(request.address, token.application)) {
    state.tokens.revoke(token);
    throw forbidden(`The application does not allow requests from ${request.address}; the token is revoked.`);
  }
  if (!token.scope.split(' ').includes(scope)) throw forbidden(`The token lacks the permission ${scope}.`);
  return token;
}

export function requireApplication(request: DemoRequest): Application {
  const pair = Buffer.from(parseCredential(request, 'Basic'), 'base64').toString();
  const application = applications.find((each) => pair === `${each.clientId}:${each.clientSecret}`);
  if (application) return application;
  throw unauthenticated('Basic', 'The client id and secret are not those of an application.');
}

export function isAllowedFrom(address: string, { allowList }: Application): boolean {
  return allowList.length === 0 || allowList.includes(address);
}

export function administrationsOfToken({ companyId }: IssuedToken, { data }: ServiceState) {
  return data.administrations.filter(({ company_id }) => company_id === companyId);
}

export function mayAccess(token: IssuedToken, administrationId: string, state: ServiceState): boolean {
  return administrationsOfToken(token, state).some(({ id }) => id === administrationId);
}

export function requireAdministration(
  token: IssuedToken,
  administrationId: string,
  state: ServiceState,
): void {
  if (mayAccess(token, administrationId, state)) return;
  throw forbidden(`The token gives no access to administration ${administrationId}.`);
}

function parseCredential({ authorization }: DemoRequest, scheme: 'Basic' | 'Bearer'): string {
  const [, sentScheme = '', credential = ''] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  if (sentScheme.toLowerCase() === scheme.toLowerCase()) return credential;
  throw unauthenticated(scheme, `This needs an Authorization header with the scheme ${scheme}.`);
}

function unauthenticated(scheme: 'Basic' | 'Bearer', message: string): HttpError {
  return new HttpError(401, 'unauthenticated', message, { 'www-authenticate': `${scheme} realm="demo"` });
}
