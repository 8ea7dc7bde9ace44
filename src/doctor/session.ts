import type { Config } from '../config.ts';
import { basicAuthorization } from '../context.ts';
import { Caller } from '../rest/caller.ts';
import { createRestClient } from '../rest/client.ts';
import { createMemories } from '../rest/memory.ts';
import type { RestSession } from '../rest/session.ts';

/** A session that remembers nothing and may make as many calls as it takes. */
export function openSession(
  url: URL,
  { application, parameterNames, restTimeoutMs }: Config,
  token: string,
): RestSession {
  return {
    client: createRestClient({ url, timeoutMs: restTimeoutMs }),
    memories: createMemories(0),
    fresh: true,
    startedAt: performance.now(),
    credentials: {
      bearer: `Bearer ${token}`,
      ...(application && { basic: basicAuthorization(application.clientId, application.clientSecret) }),
    },
    owner: 'doctor',
    parameterNames,
    caller: new Caller(),
    maxCalls: Number.POSITIVE_INFINITY,
    calls: [],
    hold: () => {},
    freshUntil: Number.POSITIVE_INFINITY,
  };
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
