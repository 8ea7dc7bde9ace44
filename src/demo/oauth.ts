import { administrationsOfToken, requireApplication } from './access.ts';
import type { Application, IssuedToken } from './applications.ts';
import { badRequestError, HttpError, readRequestBody, rejectUnknown } from './http.ts';
import type { Handler, ServiceState } from './service-state.ts';

export const createToken: Handler = (request, { tokens }) => {
  const application = requireApplication(request);
  const { grant_type, ...parameters } = readRequestBody(request);
  if (grant_type === 'client_credentials') {
    rejectUnknown(parameters);
    requireGrantType(application, 'client_credentials');
    return tokenResponse(tokens.issueForClient(application));
  }
  if (grant_type === 'refresh_token') {
    rejectUnknown(parameters, ['refresh_token']);
    requireGrantType(application, 'authorization_code');
    const { refresh_token } = parameters;
    if (typeof refresh_token !== 'string') throw badRequestError('refresh_token is missing.');
    const previous = tokens.findRefresh(refresh_token);
    if (previous?.application !== application) {
      throw new HttpError(400, 'invalid_grant', 'The refresh token is unknown, expired or already used.');
    }
    const token = tokens.refresh(previous);
    const expires_in = unixTime(token.expiresAt - token.createdAt);
    return { ...tokenResponse(token), expires_in, refresh_token: token.refreshToken };
  }
  if (typeof grant_type !== 'string') throw badRequestError('grant_type is missing.');
  throw new HttpError(400, 'unsupported_grant_type', `There is no grant type ${grant_type} here.`);
};

/** Discloses nothing else about inactive tokens (RFC 7662). */
export const introspectToken: Handler = (request, state) => {
  const application = requireApplication(request);
  const { token, ...extra } = readRequestBody(request);
  rejectUnknown(extra);
  if (typeof token !== 'string') throw badRequestError('token is missing.');

  const match = state.tokens.findAccess(token) ?? state.tokens.findRefresh(token);
  return match?.application === application ? describe(match, state) : { active: false };
};

function requireGrantType({ grantType }: Application, needed: Application['grantType']): void {
  if (grantType === needed) return;
  throw new HttpError(400, 'unauthorized_client', `The application is of grant type ${grantType}.`);
}

function tokenResponse({ value, createdAt, scope }: IssuedToken) {
  return { access_token: value, created_at: unixTime(createdAt), scope, token_type: 'Bearer' };
}

function describe(token: IssuedToken, state: ServiceState) {
  const company = state.data.companies.find(({ id }) => id === token.companyId);
  return {
    active: state.tokens.findAccess(token.value) !== undefined,
    administrations: administrationsOfToken(token, state).map(({ id, name }) => ({ id, name })),
    client_id: token.application.clientId,
    company: { id: token.companyId, name: company?.name },
    ...(token.expiresAt < Infinity && { exp: unixTime(token.expiresAt) }),
    iat: unixTime(token.createdAt),
    scope: token.scope,
    token_type: 'Bearer',
  };
}

function unixTime(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
