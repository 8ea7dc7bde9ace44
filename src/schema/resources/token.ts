import { createContextCache } from '@pothos/core';
import { badInput, InvalidValue } from '../../rest/errors.ts';
import {
  type AccessToken,
  accessToken,
  administrationsOf,
  createClientCredentialsToken,
  type Introspection,
  introspect,
  introspectCaller,
  introspection,
  refreshAccessToken,
} from '../../rest/oauth.ts';
import { dateTime, object } from '../../rest/values.ts';
import { Administration } from '../fields/administration.ts';
import { builder, type Context } from '../fields/builder.ts';
import { computed, restMetadata } from '../fields/metadata.ts';
import { memberFields, objectType } from '../fields/record-type.ts';
import './company.ts';

const { refreshToken, ...others } = accessToken;

builder.objectRef<AccessToken>('AccessToken').implement({
  description: 'An access token: as good as a password, so keep it out of logs.',
  fields: (t) => ({
    // Nullable, since a refresh token that came without one must not be lost.
    ...memberFields(t, others),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it expires. Null if the REST service names no end.',
      ...computed(({ createdAt, expiresIn }) => {
        if (expiresIn === null || createdAt === null) return null;
        // An Error in place of either makes it no number.
        const end = dateTime(Date.parse(createdAt) / 1000 + expiresIn);
        if (end === undefined) throw new InvalidValue('seconds that are no moment');
        return end;
      }),
    }),
    ...memberFields(t, { refreshToken }),
  }),
});

const TokenPayload = (name: string, description: string) =>
  objectType(name, description, {
    token: object('AccessToken', accessToken).required('The token.'),
  });

/** What is selected of each administration of a token is read for each, and only the token says how many there are. */
const ADMINISTRATIONS = {
  description: introspection.administrations.description,
  extensions: restMetadata({ cost: () => ({ reads: [], scope: { isUnbounded: true } }) }),
};

/** Null for these would replace, in a client's cache, what `companies` has told. */
const ONLY_IN_LIST = Object.fromEntries(
  ['status', 'trial', 'trialEndsOn'].map((field) => [
    field,
    badInput(`A token tells only id and name of its company. Ask for \`${field}\` below \`companies\`.`),
  ]),
);

/** Its company is the same object as the one in `companies`. */
function withCompany(token: Introspection): Introspection {
  const { company } = token;
  if (company === null || company instanceof Error) return token;
  return { ...token, company: { ...company, ...ONLY_IN_LIST } };
}

const { active, company, clientId, scopes, tokenType, issuedAt, expiresAt } = introspection;

const TokenIntrospection = builder.objectRef<Introspection>('TokenIntrospection').implement({
  description: 'What the REST service says about a token. If the token is not active, it says nothing else.',
  fields: (t) => ({
    ...memberFields(t, { active, clientId, company }),
    administrations: t.field({ type: [Administration], ...ADMINISTRATIONS, resolve: administrationsOf }),
    ...memberFields(t, { scopes, tokenType, issuedAt, expiresAt }),
  }),
});

const RefreshAccessTokenInput = builder.inputType('RefreshAccessTokenInput', {
  description: 'The refresh token to use.',
  fields: (t) => ({
    refreshToken: t.string({ required: true, description: 'The last refresh token that you received.' }),
  }),
});

const IntrospectTokenInput = builder.inputType('IntrospectTokenInput', {
  description: 'The token to ask about.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'An access token or a refresh token.' }),
  }),
});

builder.mutationFields((t) => ({
  refreshAccessToken: t.field({
    type: TokenPayload('RefreshAccessTokenPayload', 'A new access token and a new refresh token.'),
    description:
      'Uses a refresh token to get a new access token and refresh token. The old refresh token no longer works. ' +
      'Needs Basic credentials.',
    args: {
      input: t.arg({ type: RefreshAccessTokenInput, required: true, description: 'What to refresh with.' }),
    },
    resolve: async (_root, { input }, { rest }) => ({
      token: await refreshAccessToken(rest, input.refreshToken),
    }),
  }),
  createClientCredentialsToken: t.field({
    type: TokenPayload('CreateClientCredentialsTokenPayload', 'A token that does not expire.'),
    description:
      'Creates a token that does not expire, for an application with the grant client_credentials. Needs Basic ' +
      'credentials.',
    resolve: async (_root, _args, { rest }) => ({ token: await createClientCredentialsToken(rest) }),
  }),
  introspectToken: t.field({
    type: TokenIntrospection,
    description:
      'Asks the REST service about a token. It is a mutation, so that a token never travels in a URL. Needs Basic ' +
      'credentials.',
    args: { input: t.arg({ type: IntrospectTokenInput, required: true, description: 'The token.' }) },
    resolve: async (_root, { input }, { rest }) => withCompany(await introspect(rest, input.token, 'basic')),
  }),
}));

const Viewer = builder.objectRef<Introspection>('Viewer').implement({
  description: 'The company and the application of your token, and what the token reaches.',
  fields: (t) => ({
    ...memberFields(t, { company }),
    administrations: t.field({
      type: [Administration],
      ...ADMINISTRATIONS,
      nullable: false,
      resolve: (token) => administrationsOf(token) ?? [],
    }),
    ...memberFields(t, { clientId, scopes: { ...scopes, nullable: false }, issuedAt, expiresAt }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description:
      'Your own Bearer token, introspected with `X-Client-Authorization` if you send it, otherwise with the ' +
      'application that the gateway is configured with.',
    extensions: restMetadata({ cost: () => ({ reads: [{ name: 'viewer', calls: 1 }] }) }),
    resolve: (_root, _args, context) => viewerOf(context),
  }),
);

/** Cached by context, so that an operation introspects its token at most once. */
const viewerOf = createContextCache(async ({ rest }: Context) => {
  const token = withCompany(await introspectCaller(rest));
  return { ...token, scopes: token.scopes ?? [] };
});
