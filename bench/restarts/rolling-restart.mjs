// @ts-check
import { startDemoService } from '../../test/support/rest-service.mjs';
import { mutation, query, startCallers } from './callers.mjs';
import { startNginx } from './nginx.mjs';
import { startReplica } from './replica.mjs';

const MUTATIONS = /^PATCH \/v1\/messages$/;

/**
 * Restarts two replicas behind nginx in turn while callers send queries and mutations, and tells what became of them.
 * @param {{ restarts: number, callers: number, latencyMs: number, pauseMs?: () => number }} options
 */
export async function restartInTurn({ restarts, callers: count, latencyMs, pauseMs }) {
  const rest = await startDemoService();
  rest.misbehave({ kind: 'delay', milliseconds: latencyMs, times: 1e9 });
  const env = { REST_URL: rest.url, CACHE_TTL_MS: '0', MAX_OPERATIONS: '100000' };
  const replicas = await Promise.all([startReplica(env), startReplica(env)]);
  const nginx = await startNginx(replicas.map(({ port }) => port));
  try {
    const operation = (/** @type {number} */ number) => (number % 4 === 0 ? mutation(number) : query(number));
    const callers = startCallers({
      url: nginx.url,
      count,
      operation,
      ...(pauseMs && { pauseMs }),
    });
    await callers.underWay();
    const statuses = [];
    /** @type {string[]} */
    const made = [];
    // The log of the service is bounded, so it is read and emptied as it grows.
    const collect = () => {
      for (const { method, path, body } of rest.calls.splice(0)) {
        if (MUTATIONS.test(`${method} ${path}`)) made.push(idOf(body));
      }
    };
    for (let restart = 0; restart < restarts; restart += 1) {
      statuses.push(await replicas[restart % replicas.length]?.restart());
      collect();
    }
    const { answered, refused, wrong, lost, written } = await callers.end();
    collect();
    const counts = new Map();
    for (const id of made) counts.set(id, (counts.get(id) ?? 0) + 1);
    return {
      answered,
      mutations: written.length,
      refused,
      wrong,
      lost,
      statuses,
      madeTwice: [...counts].filter(([, times]) => times > 1).map(([id]) => id),
      neverMade: written.filter((id) => !counts.has(id)),
      nginxErrors: nginx.errors(),
    };
  } finally {
    await nginx.stop();
    for (const { kill } of replicas) kill();
    await rest.close();
  }
}

/** @param {any} body */
function idOf(body) {
  return String(body?.messages?.[0]?.id);
}
