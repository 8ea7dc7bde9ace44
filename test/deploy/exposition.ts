import { readConfig } from '../../src/config/index.ts';
import { eventually } from '../support/eventually.ts';
import { postTo } from '../support/gateway.ts';
import { startDemoService } from '../support/rest-service.mjs';
import { serveBuilt } from '../support/serve.ts';
import type { Series } from './promql.ts';

const QUERY = 'query ($first: Int!) { debtors(administrationId: "1001", first: $first) { nodes { name } } }';

/** Returns the metrics of a gateway after responses, cache hits and misses, and failures of the service. */
export async function exposeMetrics(): Promise<string> {
  const rest = await startDemoService();
  // The Redis is not there, which has metrics of its own.
  const sharing = { REDIS_URL: 'redis://127.0.0.1:1', SHARING_SECRET: 'x'.repeat(32) };
  const env = { PORT: '0', SHUTDOWN_GRACE_MS: '0', MAX_OPERATIONS: '1', REST_URL: rest.url, ...sharing };
  const running = await serveBuilt(readConfig(env, []));
  const query = async (first: number) =>
    (await postTo(running.url, { query: QUERY, variables: { first } })).arrayBuffer();
  try {
    await query(1);
    // All but the first wait for the REST calls of others, since an answer from the cache may end before another begins.
    await Promise.all([1, 2, 4, 5, 6].map(query));
    rest.misbehave({ kind: 'status', status: 503, times: 1e6 });
    await query(9);
    let text = '';
    // Garbage is collected sooner or later, and requests are counted a moment after their responses were read.
    await eventually(async () => {
      text = await (await fetch(new URL('/metrics', running.url))).text();
      for (const part of ['nodejs_gc_duration_seconds_count', 'status_5xx', 'UPSTREAM_UNAVAILABLE'])
        if (!text.includes(part)) throw new Error(`/metrics has no ${part} yet`);
    });
    return text;
  } finally {
    await running.stop();
    await rest.close();
  }
}

export function readSeries(exposition: string): Series[] {
  return Array.from(exposition.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm), ([, name = '', labels = '']) => ({
    name,
    labels: new Map(
      Array.from(labels.matchAll(/(\w+)="([^"]*)"/g), ([, label = '', value = '']) => [label, value]),
    ),
  }));
}
