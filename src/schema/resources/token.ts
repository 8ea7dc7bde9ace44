import { markDerived } from '../../execution/plan.ts';
import { badInput, InvalidValue } from '../../rest/errors.ts';
import {
  type AccessToken,
  accessToken,
  createClientCredentialsToken,
  getAdministrations,
  type Introspection,
  introspect,
  introspectCaller,
  introspection,
  refreshAccessToken,
} from '../../rest/oauth.ts';
import { dateTime, object } from '../../rest/values.ts';
import { Administration } from '../fields/administration.ts';
import { builder } from '../fields/builder.ts';
import { restMetadata } from '../fields/metadata.ts';
import { objectType } from '../fields/record-type.ts';

const { refreshToken, ...otherFields } = accessToken;

objectType<AccessToken>('AccessToken', 'An access token. Treat it like a password.', {
  // Nullable: if the service sends no refresh token, the access token must not be lost.
  ...otherFields,
  expiresAt: {
    type: 'DateTime',
    description: 'When it expires. Null if the REST service does not provide it.',
    resolve: markDerived(({ createdAt, expiresIn }: AccessToken) => {
      if (expiresIn === null || createdAt === null) return null;
      // An Error in either value makes the sum NaN.
      const end = dateTime(Date.parse(createdAt) / 1000 + expiresIn);
      return end ?? new InvalidValue('seconds that are not a valid time');
    }),
  },
  refreshToken,
});

const payload = { token: object('AccessToken', accessToken).required('The token.') };

/** Nested fields are read for each administration, and their number is not known in advance. */
const ADMINISTRATIONS = {
  type: [Administration],
  description: introspection.administrations.description,
  extensions: restMetadata({ cost: () => ({ reads: [], scope: { isUnbounded: true } }) }),
} as const;

/** Null would overwrite the values from `companies` in a client's normalized cache. */
const UNAVAILABLE_FIELDS = Object.fromEntries(
  ['status', 'trial', 'trialEndsOn'].map((field) => [
    field,
    badInput(`A token exposes only its company's id and name. Query \`${field}\` of \`companies\` instead.`),
  ]),
);

function withCompany(token: Introspection): Introspection {
  const { company } = token;
  if (company === null || company instanceof Error) return token;
  return { ...token, company: { ...company, ...UNAVAILABLE_FIELDS } };
}

const TokenIntrospection = objectType<Introspection>(
  'TokenIntrospection',
  'Details of a token. If the token is not active, all other fields are null.',
  { ...introspection, administrations: { ...ADMINISTRATIONS, resolve: getAdministrations } },
);

const RefreshAccessTokenInput = builder.inputType('RefreshAccessTokenInput', {
  description: 'The refresh token to use.',
  fields: (t) => ({
    refreshToken: t.string({ required: true, description: 'The last refresh token that you received.' }),
  }),
});

const IntrospectTokenInput = builder.inputType('IntrospectTokenInput', {
  description: 'The token to introspect.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'An access token or a refresh token.' }),
  }),
});

builder.mutationFields((t) => ({
  refreshAccessToken: t.field({
    type: objectType('RefreshAccessTokenPayload', 'A new access token and a new refresh token.', payload),
    description:
      'Uses a refresh token to get a new access token and refresh token. The old refresh token no longer works. ' +
      'Needs Basic credentials.',
    args: {
      input: t.arg({ type: RefreshAccessTokenInput, required: true, description: 'The refresh token.' }),
    },
    resolve: async (_root, { input }, { dataSource: { session } }) => ({
      token: await refreshAccessToken(session, input.refreshToken),
    }),
  }),
  createClientCredentialsToken: t.field({
    type: objectType('CreateClientCredentialsTokenPayload', 'A token that does not expire.', payload),
    description:
      'Creates a token that does not expire, for an application with the grant client_credentials. Needs Basic ' +
      'credentials.',
    resolve: async (_root, _args, { dataSource: { session } }) => ({
      token: await createClientCredentialsToken(session),
    }),
  }),
  introspectToken: t.field({
    type: TokenIntrospection,
    description:
      'Asks the REST service about a token. It is a mutation, so that a token never travels in a URL. Needs Basic ' +
      'credentials.',
    args: { input: t.arg({ type: IntrospectTokenInput, required: true, description: 'The token.' }) },
    resolve: async (_root, { input }, { dataSource: { session } }) =>
      withCompany(await introspect(session, input.token, 'basic')),
  }),
}));

const { company, clientId, scopes, issuedAt, expiresAt } = introspection;

const Viewer = objectType<Introspection>(
  'Viewer',
  'The company and the application of your token, and what the token reaches.',
  {
    company,
    administrations: {
      ...ADMINISTRATIONS,
      nullable: false,
      resolve: (token) => getAdministrations(token) ?? [],
    },
    clientId,
    scopes: { ...scopes, nullable: false },
    issuedAt,
    expiresAt,
  },
);

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description:
      'Your own Bearer token, introspected with `X-Client-Authorization` if you send it, otherwise with the ' +
      'application that the gateway is configured with.',
    extensions: restMetadata({ cost: () => ({ reads: [{ name: 'viewer', calls: 1 }] }) }),
    resolve: async (_root, _args, { dataSource: { session } }) => {
      const token = withCompany(await introspectCaller(session));
      return { ...token, scopes: token.scopes ?? [] };
    },
  }),
);
