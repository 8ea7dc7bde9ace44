import { InvalidValue } from '../../execution/field-errors.ts';
import { badInput } from '../../rest/errors.ts';
import { isObject } from '../../rest/json.ts';
import {
  type AccessToken,
  administrationsOf,
  createClientCredentialsToken,
  dateTime,
  type Introspection,
  introspect,
  type Named,
  refreshAccessToken,
} from '../../rest/oauth.ts';
import { asText, isText, type WireText } from '../../rest/wire-text.ts';
import { Administration } from '../fields/administration.ts';
import { builder, type Context } from '../fields/builder.ts';
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
    return asText(text);
  };
  return { type: 'DateTime', description, ...computed(dateTimeOf) } as const;
}

/** Null only if absent; throws for an invalid value, since null would mean that a token does not expire. */
function requireSeconds(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new InvalidValue('seconds that are no integer');
  return value;
}

/** Two hundred scopes and more. They are split in one go, for each alias. */
const MAX_WORDS_BYTES = 5_000;

/** Splits a text of the service at its spaces; null if there is none. */
export function wordsOf({ rest: { text } }: Context, value: unknown, what: string): WireText[] | null {
  if (value === undefined || value === null) return null;
  if (!isText(value)) throw new InvalidValue(`${what} that are no text`);
  if (text.bytes(value).length > MAX_WORDS_BYTES) throw new InvalidValue(`${what} that are too long`);
  const words = text.decode(value).split(' ');
  return words.filter((word) => word !== '').map(text.encode);
}

const SCOPES = {
  description: 'Granted permissions, each as `resource:permission`.',
  ...computed(({ scope }: Pick<Introspection, 'scope'>, context) => wordsOf(context, scope, 'scopes')),
} as const;

const AccessTokenType = builder.objectRef<AccessToken>('AccessToken').implement({
  description: 'An access token: as good as a password, so keep it out of logs.',
  fields: (t) => ({
    // Nullable, since a refresh token that came without one must not be lost.
    accessToken: t.exposeString('access_token', {
      description: 'Goes into the header `Authorization: Bearer <access token>`.',
    }),
    tokenType: t.exposeString('token_type', { description: 'Always `Bearer`.' }),
    scopes: t.stringList(SCOPES),
    createdAt: t.field(secondsField('When it was created.', ({ created_at }) => created_at)),
    expiresIn: t.exposeInt('expires_in', {
      description: 'How many seconds it is valid from `createdAt` on. Null if the REST service names no end.',
    }),
    expiresAt: t.field(
      secondsField(
        'When it expires. Null if the REST service names no end.',
        ({ created_at, expires_in }) => {
          const lifetime = requireSeconds(expires_in);
          const start = lifetime === null ? null : requireSeconds(created_at);
          return lifetime === null || start === null ? null : start + lifetime;
        },
      ),
    ),
    refreshToken: t.exposeString('refresh_token', {
      description:
        'Works once, to get the next access token. A token of client credentials comes without one.',
    }),
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
    active: t.exposeBoolean('active', {
      nullable: false,
      description: 'Whether the access token, not the refresh token, is still valid.',
    }),
    clientId: t.exposeString('client_id', { description: 'Client id of the application.' }),
    company: t.field(TOKEN_COMPANY),
    administrations: t.field({
      type: [Administration],
      description: 'The administrations that the token reaches.',
      extensions: OF_EACH_ADMINISTRATION,
      resolve: (token, _args, { rest }) => administrationsOf(rest, token),
    }),
    scopes: t.stringList({ ...SCOPES, description: 'Granted permissions.' }),
    tokenType: t.exposeString('token_type', { description: 'Always `Bearer`.' }),
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

const ONLY_IN_LIST = { status: 'status', trial: 'trial', trial_ends_on: 'trialEndsOn' };

/**
 * The company of a token: the same object as the one in `companies`, of which an introspection tells no more than id and
 * name. Null for the rest would replace, in a client's cache, what `companies` has told.
 */
function companyOf({ id, name }: Named) {
  const company = { id, name };
  for (const [property, field] of Object.entries(ONLY_IN_LIST)) {
    const get = () => {
      throw badInput(
        `A token tells only id and name of its company. Ask for \`${field}\` below \`companies\`.`,
      );
    };
    Object.defineProperty(company, property, { get });
  }
  return company;
}

export const TOKEN_COMPANY = {
  type: Company,
  description:
    'The company that the token was granted for. Only its `id`, `internalId` and `name` are known here.',
  resolve: ({ company }: Introspection) => {
    if (company === undefined || company === null) return null;
    if (!isObject(company)) throw new InvalidValue('a company that is no object');
    return companyOf(company);
  },
} as const;
