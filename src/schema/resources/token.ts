import { badInput, InvalidValue } from '../../rest/errors.ts';
import {
  administrationsOf,
  createClientCredentialsToken,
  dateTime,
  introspect,
  refreshAccessToken,
} from '../../rest/oauth.ts';
import { type AccessToken, accessToken, type Introspection, introspection } from '../../rest/tokens.ts';
import type { Member } from '../../rest/values.ts';
import { Administration } from '../fields/administration.ts';
import { builder } from '../fields/builder.ts';
import { singleCallCost } from '../fields/estimate.ts';
import { computed, restMetadata } from '../fields/metadata.ts';
import { Company } from './company.ts';

/** A field with a moment that the service gives in UNIX seconds. */
function secondsField<Source extends object>(description: string, secondsOf: (source: Source) => unknown) {
  const dateTimeOf = (source: Source) => {
    const seconds = requireSeconds(secondsOf(source));
    if (seconds === null) return null;
    const text = dateTime(seconds);
    if (text === undefined) throw new InvalidValue('seconds that are no moment');
    return text;
  };
  return { type: 'DateTime', description, ...computed(dateTimeOf) } as const;
}

/** Null only if absent; throws for an invalid value, since null would mean that a token does not expire. */
function requireSeconds(value: unknown): number | null {
  if (value instanceof Error) throw value;
  return typeof value === 'number' ? value : null;
}

/** The words of a text, which spaces separate; null if there is no text. */
export function wordsOf(value: unknown): string[] | null {
  if (value instanceof Error) throw value;
  return typeof value === 'string' ? value.split(' ').filter((word) => word !== '') : null;
}

/** What `t.expose` takes of a member that may be null. */
export function describe({ description }: Member) {
  return { description };
}

const SCOPES = {
  description: 'Granted permissions, each as `resource:permission`.',
  ...computed(({ scope }: Pick<Introspection, 'scope'>) => wordsOf(scope)),
} as const;

const AccessTokenType = builder.objectRef<AccessToken>('AccessToken').implement({
  description: 'An access token: as good as a password, so keep it out of logs.',
  fields: (t) => ({
    // Nullable, since a refresh token that came without one must not be lost.
    accessToken: t.exposeString('accessToken', describe(accessToken.accessToken)),
    tokenType: t.exposeString('tokenType', describe(accessToken.tokenType)),
    scopes: t.stringList(SCOPES),
    createdAt: t.field(secondsField('When it was created.', ({ createdAt }) => createdAt)),
    expiresIn: t.exposeInt('expiresIn', describe(accessToken.expiresIn)),
    expiresAt: t.field(
      secondsField('When it expires. Null if the REST service names no end.', ({ createdAt, expiresIn }) => {
        const lifetime = requireSeconds(expiresIn);
        const start = lifetime === null ? null : requireSeconds(createdAt);
        return lifetime === null || start === null ? null : start + lifetime;
      }),
    ),
    refreshToken: t.exposeString('refreshToken', describe(accessToken.refreshToken)),
  }),
});

const TokenPayload = (name: string, description: string) =>
  builder.objectRef<{ readonly token: AccessToken }>(name).implement({
    description,
    fields: (t) => ({
      token: t.expose('token', { type: AccessTokenType, nullable: false, description: 'The token.' }),
    }),
  });

export const ISSUED_AT = secondsField('When the token was issued.', ({ iat }: Introspection) => iat);

export const EXPIRES_AT = secondsField(
  'When the access token expires. Null if the REST service names no end.',
  ({ exp }: Introspection) => exp,
);

/** What is selected of each administration of a token is read for each, and only the token says how many there are. */
export const OF_EACH_ADMINISTRATION = restMetadata({
  cost: () => ({ reads: [], scope: { isUnbounded: true } }),
});

const TokenIntrospection = builder.objectRef<Introspection>('TokenIntrospection').implement({
  description: 'What the REST service says about a token. If the token is not active, it says nothing else.',
  fields: (t) => ({
    active: t.exposeBoolean('active', { ...describe(introspection.active), nullable: false }),
    clientId: t.exposeString('clientId', describe(introspection.clientId)),
    company: t.field(TOKEN_COMPANY),
    administrations: t.field({
      type: [Administration],
      description: 'The administrations that the token reaches.',
      extensions: OF_EACH_ADMINISTRATION,
      resolve: administrationsOf,
    }),
    scopes: t.stringList({ ...SCOPES, description: 'Granted permissions.' }),
    tokenType: t.exposeString('tokenType', describe(introspection.tokenType)),
    issuedAt: t.field(ISSUED_AT),
    expiresAt: t.field(EXPIRES_AT),
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
    extensions: restMetadata({ cost: singleCallCost }),
    resolve: async (_root, { input }, { rest }) => ({
      token: await refreshAccessToken(rest, input.refreshToken),
    }),
  }),
  createClientCredentialsToken: t.field({
    type: TokenPayload('CreateClientCredentialsTokenPayload', 'A token that does not expire.'),
    description:
      'Creates a token that does not expire, for an application with the grant client_credentials. Needs Basic ' +
      'credentials.',
    extensions: restMetadata({ cost: singleCallCost }),
    resolve: async (_root, _args, { rest }) => ({ token: await createClientCredentialsToken(rest) }),
  }),
  introspectToken: t.field({
    type: TokenIntrospection,
    description:
      'Asks the REST service about a token. It is a mutation, so that a token never travels in a URL. Needs Basic ' +
      'credentials.',
    args: {
      input: t.arg({ type: IntrospectTokenInput, required: true, description: 'The token.' }),
    },
    extensions: restMetadata({ cost: singleCallCost }),
    resolve: (_root, { input }, { rest }) => introspect(rest, input.token, 'basic'),
  }),
}));

/**
 * The company of a token: the same object as the one in `companies`, of which an introspection tells no more than id and
 * name. Null for the rest would replace, in a client's cache, what `companies` has told.
 */
export const TOKEN_COMPANY = {
  type: Company,
  description:
    'The company that the token was granted for. Only its `id`, `internalId` and `name` are known here.',
  resolve: ({ company }: Introspection) => {
    if (company === null) return null;
    const given: unknown = company;
    if (given instanceof Error) throw given;
    return { ...company, ...ONLY_IN_LIST };
  },
} as const;

const ONLY_IN_LIST = Object.fromEntries(
  ['status', 'trial', 'trialEndsOn'].map((field) => [
    field,
    badInput(`A token tells only id and name of its company. Ask for \`${field}\` below \`companies\`.`),
  ]),
);
