// @ts-check
import { startDemoService } from '../../test/support/rest-service.mjs';
import { startCallers } from './callers.mjs';
import { startNginx } from './nginx.mjs';
import { startReplica } from './replica.mjs';

/**
 * Restarts two replicas behind nginx in turn while callers send queries and mutations, and counts their results.
 * @param {{ restarts: number, callers: number, latencyMs: number }} options
 */
export async function restartInTurn({ restarts, callers: count, latencyMs }) {
  const rest = await startDemoService();
  rest.misbehave({ kind: 'delay', milliseconds: latencyMs, times: 1e9 });
  const env = { REST_URL: rest.url, CACHE_TTL_MS: '0', LOG: 'off' };
  const replicas = await Promise.all([startReplica(env), startReplica(env)]);
  const nginx = await startNginx(replicas.map(({ port }) => port));
  try {
    const callers = startCallers({ url: nginx.url, count });
    await callers.underWay();
    const statuses = [];
    /** @type {Map<string, number>} */
    const made = new Map();
    // The log of the service is bounded, so it is read and emptied as it grows.
    const collect = () => {
      for (const { method, body } of rest.calls.splice(0)) {
        if (method === 'PATCH') made.set(idOf(body), (made.get(idOf(body)) ?? 0) + 1);
      }
    };
    for (let restart = 0; restart < restarts; restart += 1) {
      statuses.push(await replicas[restart % replicas.length]?.restart());
      collect();
    }
    const { written, ...tally } = await callers.end();
    collect();
    return {
      ...tally,
      mutations: written.length,
      statuses,
      madeTwice: [...made].filter(([, times]) => times > 1).map(([id]) => id),
      neverMade: written.filter((id) => !made.has(id)),
    };
  } finally {
    await nginx.stop();
    await Promise.all(replicas.map(({ kill }) => kill()));
    await rest.close();
  }
}

/** @param {any} body */
function idOf(body) {
  return String(body?.messages?.[0]?.id);
}
