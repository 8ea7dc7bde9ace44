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

export const allScopes = [
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

export const application: Application = {
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

export const restrictedApplication: Application = {
  ...demoCredentials.restrictedApplication,
  grantType: 'authorization_code',
  allowList: ['192.0.2.10'],
  companyIds: ['101'],
};

export const applications = [application, clientCredentialsApplication, restrictedApplication];
