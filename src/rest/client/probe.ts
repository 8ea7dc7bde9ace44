import { Client } from 'undici';
import { type CallErrorType, classifyError } from '../errors.ts';
import { connectThrough } from './proxy.ts';

const DEADLINE_MS = 2_000;

/** Returns why the service does not respond. It sends no credential, which could be revoked. */
export async function probe(
  url: URL,
  proxy?: URL,
  deadlineMs = DEADLINE_MS,
): Promise<CallErrorType | undefined> {
  const client = new Client(url.origin, proxy && { connect: connectThrough(proxy, url) });
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const { body } = await client.request({ method: 'HEAD', path: url.pathname, signal });
    await body.dump();
    return undefined;
  } catch (error) {
    return signal.aborted ? 'answer_timeout' : classifyError(error);
  } finally {
    await client.destroy();
  }
}
