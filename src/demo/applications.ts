/** Credentials of the embedded service, which are public and valid nowhere else. */
export const demoCredentials = {
  /** Uses grant type authorization_code and is connected to every company. */
  application: { clientId: 'demo-application', clientSecret: 'demo-application-secret' },
  /** Uses grant type client_credentials, belongs to company A, and allows only this machine. */
  clientCredentialsApplication: {
    clientId: 'demo-client-credentials-application',
    clientSecret: 'demo-client-credentials-secret',
  },
  /** Its allow list excludes this machine, so its token is revoked on first use. */
  restrictedApplication: { clientId: 'demo-restricted-application', clientSecret: 'demo-restricted-secret' },
  /** Access tokens that never expire. */
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

const connected: Application = {
  ...demoCredentials.application,
  grantType: 'authorization_code',
  allowList: [],
  companyIds: ['101', '102', '103'],
};
const restricted = { ...connected, ...demoCredentials.restrictedApplication, allowList: ['192.0.2.10'] };
const client: Application = {
  ...demoCredentials.clientCredentialsApplication,
  grantType: 'client_credentials',
  allowList: ['127.0.0.1', '::1'],
  companyIds: ['101'],
};

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
  /** Undefined once it has been used. */
  refreshToken?: string | undefined;
}

type Grant = Pick<IssuedToken, 'application' | 'companyId' | 'scope'>;

export type TokenStore = ReturnType<typeof createTokenStore>;

export function createTokenStore(now: () => number) {
  const tokens = new Set<IssuedToken>();
  let issued = 0;

  function add({ application, companyId, scope }: Grant, value: string, lifetime = Infinity): IssuedToken {
    const createdAt = now();
    const token = { value, application, companyId, scope, createdAt, expiresAt: createdAt + lifetime };
    tokens.add(token);
    return token;
  }

  /** Issues a token pair for an authorization_code application. */
  function issuePair(grant: Grant): IssuedToken {
    issued += 1;
    const refreshToken = `demo-refresh-token-${issued}`;
    return Object.assign(add(grant, `demo-access-token-${issued}`, ACCESS_TOKEN_LIFETIME), { refreshToken });
  }

  const companyA = { application: connected, companyId: '101', scope: ALL_SCOPES };
  add(companyA, demoCredentials.tokens.companyA);
  add({ ...companyA, companyId: '102' }, demoCredentials.tokens.companyB);
  add({ ...companyA, scope: 'debtors:read' }, demoCredentials.tokens.readOnlyDebtors);
  add({ ...companyA, application: restricted }, demoCredentials.tokens.restricted);
  issuePair(companyA);

  return {
    findAccess: (value: string) =>
      [...tokens].find((token) => token.value === value && token.expiresAt > now()),
    /** Returns the access token, expired or not, that was issued with a refresh token. */
    findRefresh: (value: string) =>
      [...tokens].find(
        ({ refreshToken, createdAt }) => refreshToken === value && createdAt + REFRESH_TOKEN_LIFETIME > now(),
      ),
    /** Invalidates a refresh token and issues the next pair. */
    refresh(token: IssuedToken): IssuedToken {
      token.refreshToken = undefined;
      return issuePair(token);
    },
    issueForClient(application: Application): IssuedToken {
      issued += 1;
      // Such an application is connected only to its owner.
      const [companyId = ''] = application.companyIds;
      return add({ application, companyId, scope: ALL_SCOPES }, `demo-access-token-${issued}`);
    },
    revoke: (token: IssuedToken) => tokens.delete(token),
  };
}
