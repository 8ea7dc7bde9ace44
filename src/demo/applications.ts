import { demoCredentials } from './credentials.ts';

export type Scope =
  | 'debtors:read'
  | 'tasks:write'
  | 'messages:write'
  | 'health_care:read'
  | 'credit_cases:read'
  | 'payments:read';

export const allScopes: readonly Scope[] = [
  'debtors:read',
  'tasks:write',
  'messages:write',
  'health_care:read',
  'credit_cases:read',
  'payments:read',
];

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
