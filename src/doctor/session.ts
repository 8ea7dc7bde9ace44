import type { Config } from '../config.ts';
import { basicAuthorization } from '../gateway/credentials.ts';
import { RestCache } from '../rest/cache/rest-cache.ts';
import { createRestClient } from '../rest/client/client.ts';
import { RestSession } from '../rest/session.ts';

/** A session that caches nothing and may make as many calls as it takes. */
export function openSession(
  url: URL,
  { application, parameterNames, restTimeoutMs }: Config,
  token: string,
): RestSession {
  return new RestSession({
    client: createRestClient({ url, timeoutMs: restTimeoutMs }),
    cache: new RestCache(0),
    credentials: {
      bearer: `Bearer ${token}`,
      ...(application && { basic: basicAuthorization(application.clientId, application.clientSecret) }),
    },
    owner: 'doctor',
    parameterNames,
  });
}

/** Hides the credentials of a session in a text: the service may have quoted them. */
export function redactor({ credentials }: RestSession): (text: string) => string {
  const [token = '', basic = ''] = [credentials.bearer, credentials.basic].map((value) =>
    value?.replace(/^\S+ /, ''),
  );
  const [, clientSecret = ''] = Buffer.from(basic, 'base64').toString().split(/:(.*)/s);
  const secrets = [token, basic, clientSecret].filter((secret) => secret !== '');
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[secret]'), text);
}
