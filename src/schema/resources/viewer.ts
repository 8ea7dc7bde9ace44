import { createContextCache } from '@pothos/core';
import { RestError } from '../../rest/errors.ts';
import { administrationsOf, introspectCaller } from '../../rest/oauth.ts';
import { type Introspection, introspection } from '../../rest/tokens.ts';
import { Administration } from '../fields/administration.ts';
import { builder, type Context } from '../fields/builder.ts';
import { computed, restMetadata } from '../fields/metadata.ts';
import { describe, EXPIRES_AT, ISSUED_AT, OF_EACH_ADMINISTRATION, TOKEN_COMPANY, wordsOf } from './token.ts';

const Viewer = builder.objectRef<Introspection>('Viewer').implement({
  description: 'The company and the application of your token, and what the token reaches.',
  fields: (t) => ({
    company: t.field(TOKEN_COMPANY),
    administrations: t.field({
      type: [Administration],
      nullable: false,
      description: 'The administrations that the token reaches.',
      extensions: OF_EACH_ADMINISTRATION,
      resolve: (token) => administrationsOf(token) ?? [],
    }),
    clientId: t.exposeString('clientId', describe(introspection.clientId)),
    scopes: t.field({
      type: ['String'],
      nullable: false,
      description: 'Granted permissions.',
      ...computed(({ scope }) => wordsOf(scope) ?? []),
    }),
    issuedAt: t.field(ISSUED_AT),
    expiresAt: t.field(EXPIRES_AT),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description:
      'Your own Bearer token, introspected with `X-Client-Authorization` if you send it, otherwise with the ' +
      'application that the gateway is configured with.',
    extensions: restMetadata({
      cost: () => ({
        reads: [{ name: 'viewer', calls: 1 }],
        scope: { origin: 'viewer' },
      }),
    }),
    resolve: (_root, _args, context) => viewerOf(context),
  }),
);

/** Cached by context, so that an operation introspects its token at most once. */
const viewerOf = createContextCache(async ({ rest }: Context): Promise<Introspection> => {
  const found = await introspectCaller(rest);
  if (!found.active) {
    throw new RestError(
      'UNAUTHENTICATED',
      'Your token is unknown, has expired, or belongs to another application.',
    );
  }
  return found;
});
