import { flag, id, int, object, type RowOf, seconds, text, words } from './values.ts';

const named = {
  internalId: id.required("The REST service's own id.", 'id'),
  name: text.optional('Name.'),
};

/** What the service says of a token. For an inactive one only `active` is there. */
export const introspection = {
  active: flag.required('Whether the access token, not the refresh token, is still valid.'),
  clientId: text.optional('Client id of the application.'),
  company: object('Company', named).optional(
    'The company that the token was granted for. Only its `id`, `internalId` and `name` are known here.',
  ),
  administrations: object('Administration', named).list('The administrations that the token reaches.'),
  scopes: words.list('Granted permissions.', 'scope'),
  tokenType: text.optional('Always `Bearer`.'),
  issuedAt: seconds.optional('When the token was issued.', 'iat'),
  expiresAt: seconds.optional('When the access token expires. Null if the REST service names no end.', 'exp'),
};

/** A new token. It must not be lost because another member is invalid. */
export const accessToken = {
  accessToken: text.optional('Goes into the header `Authorization: Bearer <access token>`.'),
  tokenType: text.optional('Always `Bearer`.'),
  scopes: words.list('Granted permissions, each as `resource:permission`.', 'scope'),
  createdAt: seconds.optional('When it was created.'),
  expiresIn: int.optional(
    'How many seconds it is valid from `createdAt` on. Null if the REST service names no end.',
  ),
  refreshToken: text.optional(
    'Works once, to get the next access token. A token of client credentials comes without one.',
  ),
};

export type Named = RowOf<typeof named>;
export type Introspection = RowOf<typeof introspection>;
export type AccessToken = RowOf<typeof accessToken>;
