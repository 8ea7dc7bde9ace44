import { HttpError } from './http.ts';

/** Credentials of the embedded service only: public by design, not valid anywhere else. */
export const demoCredentials = {
  /** Grant type authorization_code, connected to every company. */
  application: { clientId: 'demo-application', clientSecret: 'demo-application-secret' },
  /** Grant type client_credentials, owned by company A, usable from this machine only. */
  clientCredentialsApplication: {
    clientId: 'demo-client-credentials-application',
    clientSecret: 'demo-client-credentials-secret',
  },
  /** Its allow list excludes this machine, so its token is revoked on first use. */
  restrictedApplication: { clientId: 'demo-restricted-application', clientSecret: 'demo-restricted-secret' },
  /** Bearer tokens that never expire. */
  tokens: {
    companyA: 'demo-token-company-a',
    companyB: 'demo-token-company-b',
    readOnlyDebtors: 'demo-token-read-only-debtors',
    restricted: 'demo-token-restricted',
  },
  /** Company A's OAuth token pair: the access token expires two hours after startup. */
  accessToken: 'demo-access-token-1',
  refreshToken: 'demo-refresh-token-1',
};

const ALL_SCOPES = 'debtors:read tasks:write messages:write health_care:read credit_cases:read payments:read';

export interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly grantType: 'authorization_code' | 'client_credentials';
  /** Allowed client addresses; empty allows all. */
  readonly allowList: readonly string[];
  readonly companyIds: readonly string[];
}

const code = { grantType: 'authorization_code', companyIds: ['101'] } as const;
const connected = {
  ...code,
  ...demoCredentials.application,
  allowList: [],
  companyIds: ['101', '102', '103'],
};
const restricted = { ...code, ...demoCredentials.restrictedApplication, allowList: ['192.0.2.10'] };
const client = {
  ...demoCredentials.clientCredentialsApplication,
  grantType: 'client_credentials',
  allowList: ['127.0.0.1', '::1'],
  companyIds: ['101'],
} as const;

export const applications: readonly Application[] = [connected, restricted, client];

const ACCESS_TOKEN_LIFETIME = 7_200_000;
const REFRESH_TOKEN_LIFETIME = 90 * 86_400_000;

export interface IssuedToken {
  readonly value: string;
  readonly application: Application;
  readonly companyId: string;
  /** Space-separated. */
  readonly scope: string;
  readonly createdAt: number;
  /** Infinity for a token that does not expire. */
  readonly expiresAt: number;
}

type Grant = Pick<IssuedToken, 'application' | 'companyId' | 'scope'>;

export type TokenStore = ReturnType<typeof createTokenStore>;

export function createTokenStore(now: () => number) {
  const accessTokens = new Map<string, IssuedToken>();
  const refreshTokens = new Map<string, { access: IssuedToken; expiresAt: number }>();
  let issued = 0;

  function add(value: string, { application, companyId, scope }: Grant, lifetime = Infinity): IssuedToken {
    const createdAt = now();
    const token = { value, application, companyId, scope, createdAt, expiresAt: createdAt + lifetime };
    accessTokens.set(value, token);
    return token;
  }

  /** Issues a token pair for an authorization_code application. */
  function issuePair(grant: Grant) {
    issued += 1;
    const access = add(`demo-access-token-${issued}`, grant, ACCESS_TOKEN_LIFETIME);
    const refreshToken = `demo-refresh-token-${issued}`;
    refreshTokens.set(refreshToken, { access, expiresAt: now() + REFRESH_TOKEN_LIFETIME });
    return { access, refreshToken };
  }

  function find<T extends { expiresAt: number }>(tokens: ReadonlyMap<string, T>, value: string) {
    const token = tokens.get(value);
    return token && token.expiresAt > now() ? token : undefined;
  }

  const companyA = { application: connected, companyId: '101', scope: ALL_SCOPES };
  const { tokens } = demoCredentials;
  add(tokens.companyA, companyA);
  add(tokens.companyB, { ...companyA, companyId: '102' });
  add(tokens.readOnlyDebtors, { ...companyA, scope: 'debtors:read' });
  add(tokens.restricted, { ...companyA, application: restricted });
  issuePair(companyA);

  return {
    findAccess: (value: string) => find(accessTokens, value),
    findRefresh: (value: string) => find(refreshTokens, value),
    /** Rotation: the refresh token is invalidated in the same step that issues its successor. */
    refresh(client: Application, value: string) {
      const token = find(refreshTokens, value);
      if (token?.access.application !== client) {
        throw new HttpError(400, 'invalid_grant', 'The refresh token is unknown, expired or already used.');
      }
      refreshTokens.delete(value);
      return issuePair(token.access);
    },
    issueForClient(client: Application): IssuedToken {
      issued += 1;
      // Such an application is connected only to the company that owns it.
      const [companyId = ''] = client.companyIds;
      return add(`demo-access-token-${issued}`, { application: client, companyId, scope: ALL_SCOPES });
    },
    revoke: (token: IssuedToken) => accessTokens.delete(token.value),
  };
}
