import { randomUUID } from 'node:crypto';

/** The client's own `X-Request-Id` if it is valid, otherwise a random one. */
export function requestIdOf(given: string | string[] | null | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
}
