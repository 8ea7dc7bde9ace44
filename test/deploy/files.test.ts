import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/index.ts';
import { root } from '../docs/pages.ts';
import { megabytesOf, readDeploy, unknownSettings } from './support.ts';

const defaults = readConfig({}, []);
/** Accepts and closes connections, in addition to the two settings. */
const REST_MS = 3_000;

describe('kubernetes.yaml', () => {
  const [deployment, service, budget] = parseAllDocuments(readDeploy('kubernetes.yaml')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
  const { spec: pod, metadata } = deployment.spec.template;
  const [container] = pod.containers;
  const env: Record<string, string> = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  const ports = Object.fromEntries(
    container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [
      name,
      String(containerPort),
    ]),
  );

  test('lets a pod drain: /ready fails within the delay, and Kubernetes waits for the grace period', () => {
    const { periodSeconds, failureThreshold, httpGet } = container.readinessProbe;
    expect(httpGet).toEqual({ path: '/ready', port: 'http' });
    expect(Number(env.DRAIN_DELAY_MS)).toBeGreaterThan(periodSeconds * failureThreshold * 1000);
    expect(Number(env.SHUTDOWN_GRACE_MS)).toBeGreaterThanOrEqual(defaults.requestTimeoutMs);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(
      Number(env.DRAIN_DELAY_MS) + Number(env.SHUTDOWN_GRACE_MS) + REST_MS,
    );
    expect(container.lifecycle).toBeUndefined();
  });

  test('restarts the pod only for /health, and uses the ports of the gateway', () => {
    for (const probe of [container.livenessProbe, container.startupProbe]) {
      expect(probe.httpGet).toEqual({ path: '/health', port: 'http' });
    }
    expect(ports).toEqual({ http: env.PORT, admin: env.ADMIN_PORT });
    expect(metadata.annotations['prometheus.io/port']).toBe(env.ADMIN_PORT);
    expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
    const { matchLabels } = deployment.spec.selector;
    expect([metadata.labels, service.spec.selector, budget.spec.selector.matchLabels]).toEqual([
      matchLabels,
      matchLabels,
      matchLabels,
    ]);
  });

  test('gives each of two replicas enough memory for its heap', () => {
    expect(deployment.spec.replicas).toBeGreaterThan(budget.spec.minAvailable);
    expect(container.resources.limits.memory).toBe('1Gi');
    expect(megabytesOf(env.NODE_OPTIONS ?? '')).toBeLessThan(1024);
  });

  test('uses only known settings, and mounts the secret where the gateway reads it', () => {
    expect(unknownSettings(Object.keys(env))).toEqual([]);
    expect(Object.values(env).every((value) => typeof value === 'string')).toBe(true);
    const [{ mountPath }] = container.volumeMounts;
    expect(env.REST_CLIENT_SECRET_FILE).toBe(`${mountPath}/rest-client-secret`);
    expect(env).not.toHaveProperty('REST_CLIENT_SECRET');
  });
});

describe('compose.yaml', () => {
  const { services, secrets } = parse(readDeploy('compose.yaml'), { merge: true });
  const { nginx, ...replicas } = services;

  test.each(Object.entries<typeof nginx>(replicas))('%s can drain and has few rights', (name, replica) => {
    const { environment } = replica;
    expect(unknownSettings(Object.keys(environment))).toEqual([]);
    expect(Number.parseInt(replica.stop_grace_period, 10) * 1000).toBeGreaterThan(
      Number(environment.SHUTDOWN_GRACE_MS) + REST_MS,
    );
    expect(replica).toMatchObject({ read_only: true, cap_drop: ['ALL'], mem_limit: '1g' });
    expect(environment.REST_CLIENT_SECRET_FILE).toBe(`/run/secrets/${Object.keys(secrets)[0]}`);
    expect(readDeploy('nginx-compose.conf')).toContain(`server ${name}:4000 `);
    expect(nginx.depends_on).toHaveProperty(name);
    expect(nginx.networks.inside.ipv4_address).toBe(environment.TRUSTED_PROXIES);
  });

  test('names the application only in lines that are marked `viewer`', () => {
    const lines = readDeploy('compose.yaml').split('\n');
    const start = lines.indexOf('# viewer');
    expect(lines.slice(start + 1).filter((line) => /^\S/.test(line))).toEqual(['secrets:']);
    const rest = lines.slice(0, start).filter((line) => !line.endsWith('# viewer') && !/^\s*#/.test(line));
    expect(rest.join('\n')).not.toMatch(/REST_CLIENT|secret/);
    const { environment } = parse(rest.join('\n'), { merge: true }).services['gateway-1'];
    expect(Object.keys(environment)).toEqual(['REST_URL', 'TRUSTED_PROXIES', 'SHUTDOWN_GRACE_MS']);
  });

  test('keeps the secret and the key out of the repository and the image', () => {
    const linesOf = (name: string) => readFileSync(new URL(name, root), 'utf8').split('\n');
    const ignored = ['rest-client-secret', '/deploy/gateway.env', '/deploy/tls/'];
    expect(linesOf('.gitignore')).toEqual(expect.arrayContaining(ignored));
    expect(linesOf('.dockerignore')).toEqual(expect.arrayContaining(['deploy', '**/*secret*']));
  });
});

test('the nginx files differ only in their replicas, and their timeouts exceed those of the gateway', () => {
  const texts = ['nginx-compose.conf', 'nginx-localhost.conf'].map(readDeploy);
  const [text = '', other] = texts.map((each) => each.slice(each.indexOf('  # Idle connections')));
  expect(other).toBe(text);
  expect(texts[1]).toContain(`server 127.0.0.1:${defaults.port} `);
  expect(text).toMatch(/^ {2}listen 80;$/m);
  const secondsOf = (directive: string, place = text) =>
    Number(new RegExp(`^ *${directive} (\\d+)s;`, 'm').exec(place)?.[1]);
  expect(secondsOf('proxy_read_timeout') * 1000).toBeGreaterThan(defaults.requestTimeoutMs);
  const [, files] = text.split(/location ~ .*csv/);
  expect(secondsOf('proxy_read_timeout', files) * 1000).toBeGreaterThan(defaults.exportTimeoutMs);
  // The gateway closes idle connections after 65 s.
  expect(secondsOf('keepalive_timeout')).toBeLessThan(65);
  // A stream says something every 12 s.
  expect(secondsOf('proxy_read_timeout')).toBeGreaterThan(2 * 12);
});

test('nginx has two connections and enough files for each stream and each operation of both replicas', () => {
  const text = readDeploy('nginx-main.conf');
  const numberOf = (directive: string) => Number(new RegExp(`${directive} (\\d+);`).exec(text)?.[1]);
  const { maxSubscriptions, maxOperations } = defaults;
  expect(numberOf('worker_connections')).toBeGreaterThan(2 * 2 * (maxSubscriptions + maxOperations));
  expect(numberOf('worker_rlimit_nofile')).toBeGreaterThanOrEqual(2 * numberOf('worker_connections'));
  const { services } = parse(readDeploy('compose.yaml'), { merge: true });
  expect(services.nginx.volumes).toContain('./nginx-main.conf:/etc/nginx/nginx.conf:ro');
});

describe('the Dockerfile', () => {
  const text = readDeploy('Dockerfile');
  const [, ...stages] = text.split(/^FROM /m);
  const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

  test('starts from one exact, supported version of Node', () => {
    const versions = stages.map((stage) => /^node:(\d+\.\d+\.\d+)-bookworm-slim\b/.exec(stage)?.[1]);
    expect(new Set(versions).size).toBe(1);
    const [version = ''] = versions;
    expect(version.localeCompare(engines.node.replace('>=', ''), 'en', { numeric: true })).toBeGreaterThan(0);
  });

  test('installs the packages of all examples to build, and none to run', () => {
    const examples = readdirSync(new URL('examples/', root)).filter((name) =>
      existsSync(new URL(`examples/${name}/package.json`, root)),
    );
    const copied = Array.from(text.matchAll(/^COPY examples\/(\w+)\/package\.json/gm), ([, name]) => name);
    expect(copied).toEqual(examples);
    expect(stages.at(-1)).toContain('npm ci --omit=dev --ignore-scripts --workspaces=false');
  });

  test('runs node as an ordinary user within its memory, and stops on SIGTERM', () => {
    const last = stages.at(-1) ?? '';
    // Node takes a compile cache only from the user that runs it.
    const users = Array.from(last.matchAll(/(?<=^USER |--reuid=)\w+/gm), ([user]) => user);
    expect(users).toEqual(['node', 'node']);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last).toMatch(/^ENTRYPOINT \["node", "dist\/main\.js"\]$/m);
    expect(megabytesOf(last)).toBeLessThan(1000);
    const settings = Array.from(
      last.matchAll(/^ENV (.*)$/gm),
      ([, line = '']) => line.match(/[A-Z_]+(?==)/g) ?? [],
    );
    expect(unknownSettings(settings.flat())).toEqual([]);
  });
});

const unit = readDeploy('receivables-graphql@.service');
const valuesOf = (key: string) =>
  Array.from(unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm')), ([, value = '']) => value);

test('the systemd unit uses only known settings, and its stop timeout exceeds the grace period', () => {
  const settings = Object.fromEntries(valuesOf('Environment').map((line) => line.split('=')));
  expect(unknownSettings(Object.keys(settings))).toEqual([]);
  expect(settings.PORT).toBe('%i');
  const [credential = ''] = valuesOf('LoadCredential');
  expect(settings.REST_CLIENT_SECRET_FILE).toBe(`%d/${credential.split(':')[0]}`);
  expect(Number(valuesOf('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(
    Number(settings.SHUTDOWN_GRACE_MS) + REST_MS,
  );
  expect(valuesOf('MemoryMax')).toEqual(['1G']);
  expect(megabytesOf(valuesOf('ExecStart')[0] ?? '')).toBeLessThan(1024);
});
