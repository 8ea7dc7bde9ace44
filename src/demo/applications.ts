import { HttpError } from './http.ts';

/** Credentials of the embedded service only: public by design, not valid anywhere else. */
export const demoCredentials = Object.freeze({
  /** Grant type authorization_code, connected to every company. */
  application: Object.freeze({ clientId: 'demo-application', clientSecret: 'demo-application-secret' }),
  /** Grant type client_credentials, owned by company A, usable from this machine only. */
  clientCredentialsApplication: Object.freeze({
    clientId: 'demo-client-credentials-application',
    clientSecret: 'demo-client-credentials-secret',
  }),
  /** Its allow list excludes this machine, so its token is revoked on first use. */
  restrictedApplication: Object.freeze({
    clientId: 'demo-restricted-application',
    clientSecret: 'demo-restricted-secret',
  }),
  /** Bearer tokens that never expire. */
  tokens: Object.freeze({
    companyA: 'demo-token-company-a',
    companyB: 'demo-token-company-b',
    readOnlyDebtors: 'demo-token-read-only-debtors',
    restricted: 'demo-token-restricted',
  }),
  /** Company A's OAuth token pair: the access token expires two hours after startup. */
  accessToken: 'demo-access-token-1',
  refreshToken: 'demo-refresh-token-1',
});

const allScopes = [
  'debtors:read',
  'tasks:write',
  'messages:write',
  'health_care:read',
  'credit_cases:read',
  'payments:read',
] as const;
export type Permission = (typeof allScopes)[number];

export interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly grantType: 'authorization_code' | 'client_credentials';
  /** Allowed client addresses; empty allows all. */
  readonly allowList: readonly string[];
  readonly companyIds: readonly string[];
}

const application: Application = {
  ...demoCredentials.application,
  grantType: 'authorization_code',
  allowList: [],
  companyIds: ['101', '102', '103'],
};

const clientCredentialsApplication: Application = {
  ...demoCredentials.clientCredentialsApplication,
  grantType: 'client_credentials',
  allowList: ['127.0.0.1', '::1'],
  companyIds: ['101'],
};

const restrictedApplication: Application = {
  ...demoCredentials.restrictedApplication,
  grantType: 'authorization_code',
  allowList: ['192.0.2.10'],
  companyIds: ['101'],
};

export const applications = [application, clientCredentialsApplication, restrictedApplication];

const ACCESS_TOKEN_LIFETIME = 7_200_000;
const REFRESH_TOKEN_LIFETIME = 90 * 86_400_000;

/** A grant: to which application, for which company, and with which scopes. */
interface Grant {
  readonly application: Application;
  readonly companyId: string;
  readonly scopes: readonly Permission[];
}

export interface IssuedToken extends Grant {
  readonly value: string;
  readonly createdAt: number;
  /** Infinity for a token that does not expire. */
  readonly expiresAt: number;
}

interface RefreshToken {
  readonly value: string;
  readonly access: IssuedToken;
  readonly expiresAt: number;
}

export type TokenStore = ReturnType<typeof createTokenStore>;

export function createTokenStore(now: () => number) {
  const accessTokens = new Map<string, IssuedToken>();
  const refreshTokens = new Map<string, RefreshToken>();
  let issued = 0;

  function add(value: string, grant: Grant, expiresAt: number): IssuedToken {
    const token = { ...grant, value, createdAt: now(), expiresAt };
    accessTokens.set(value, token);
    return token;
  }

  /** Issues a token pair for an authorization_code application. */
  function issuePair(grant: Grant): RefreshToken {
    issued += 1;
    const value = `demo-refresh-token-${issued}`;
    const access = add(`demo-access-token-${issued}`, grant, now() + ACCESS_TOKEN_LIFETIME);
    const refresh = { value, access, expiresAt: now() + REFRESH_TOKEN_LIFETIME };
    refreshTokens.set(value, refresh);
    return refresh;
  }

  function issueForClient(client: Application): IssuedToken {
    issued += 1;
    // Such an application is connected only to the company that owns it.
    const [companyId = ''] = client.companyIds;
    const grant = { application: client, companyId, scopes: allScopes };
    return add(`demo-access-token-${issued}`, grant, Infinity);
  }

  function find<T extends { expiresAt: number }>(
    tokens: ReadonlyMap<string, T>,
    value: string,
  ): T | undefined {
    const token = tokens.get(value);
    return token && token.expiresAt > now() ? token : undefined;
  }

  /** Rotation: the refresh token is invalidated in the same step that issues its successor. */
  function refresh(client: Application, value: string): RefreshToken {
    const token = find(refreshTokens, value);
    if (token?.access.application !== client) {
      throw new HttpError(400, 'invalid_grant', 'The refresh token is unknown, expired or already used.');
    }
    refreshTokens.delete(value);
    return issuePair(token.access);
  }

  const companyA = { application, companyId: '101', scopes: allScopes };
  const { tokens } = demoCredentials;
  add(tokens.companyA, companyA, Infinity);
  add(tokens.companyB, { ...companyA, companyId: '102' }, Infinity);
  add(tokens.readOnlyDebtors, { ...companyA, scopes: ['debtors:read'] }, Infinity);
  add(tokens.restricted, { ...companyA, application: restrictedApplication }, Infinity);
  issuePair(companyA);

  return {
    findAccess: (value: string) => find(accessTokens, value),
    findRefresh: (value: string) => find(refreshTokens, value),
    refresh,
    issueForClient,
    revoke: (token: IssuedToken) => accessTokens.delete(token.value),
  };
}
