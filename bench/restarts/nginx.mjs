// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const recommended = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8');

/** Debian's is in a folder that only root's path has. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export const hasNginx = spawnSync('nginx', ['-v'], { env }).status === 0;

/**
 * A folder with the configuration that we recommend, for these ports, and what makes it complete.
 * @param {string} port
 * @param {readonly string[]} replicaPorts
 * @param {string} [template]
 */
export function configure(port, replicaPorts, template = recommended) {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const site = template
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/server gateway-(\d):4000/g, (_server, number) => `server 127.0.0.1:${replicaPorts[number - 1]}`)
    .replace('/var/log/nginx/access.log', join(folder, 'access.log'));
  writeFileSync(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${join(folder, name)};\n`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off;
pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'error.log')};
worker_processes 2;
events {}
http {
${temporary.join('')}  include ${join(folder, 'site.conf')};
}
`,
  );
  return { folder, file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * What `nginx -t` says of it.
 * @param {string} file
 */
export function check(file) {
  const { status, stderr } = spawnSync('nginx', ['-t', '-c', file], { env, encoding: 'utf8' });
  return { status, text: stderr };
}

/**
 * nginx in front of these replicas, once it listens.
 * @param {readonly string[]} replicaPorts
 * @param {{ isHashed?: boolean, template?: string }} [options] Whether each caller's requests go to one replica, and
 *   another configuration than the one that we recommend.
 */
export async function startNginx(replicaPorts, { isHashed = false, template = recommended } = {}) {
  const port = await freePort();
  const site = isHashed ? template.replace('# hash $http_auth', 'hash $http_auth') : template;
  const { folder, file, remove } = configure(port, replicaPorts, site);
  const child = spawn('nginx', ['-c', file], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}/graphql`;
  while (!(await isListening(url))) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'));
    await sleep(20);
  }
  return {
    url,
    /** Its complaints, such as that no replica was left. */
    errors: () => readFileSync(join(folder, 'error.log'), 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      remove();
    },
  };
}

/** @param {string} url */
async function isListening(url) {
  return fetch(new URL('/health', url)).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** @returns {Promise<string>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' && address?.port);
}
