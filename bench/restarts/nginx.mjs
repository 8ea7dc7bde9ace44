// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const read = (/** @type {string} */ name) =>
  readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
const recommended = read('nginx-compose.conf');

/** Debian's is in a folder that only root's path has. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** @typedef {{ url: string, logged(name: 'access' | 'error'): string, stop(): Promise<void> }} Nginx */
export const hasNginx = spawnSync('nginx', ['-v'], { env }).status === 0;

/**
 * A folder with a configuration, by default the one that we recommend, for these ports, and what makes it complete.
 * @type {(port: string, replicaPorts: readonly string[], template?: string) => { folder: string, file: string, remove(): void }}
 */
export function configure(port, replicaPorts, template = recommended) {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const site = template
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/server gateway-(\d):4000/g, (_server, number) => `server 127.0.0.1:${replicaPorts[number - 1]}`)
    .replaceAll('/var/log/nginx', folder);
  writeFileSync(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${join(folder, name)};\n`,
  );
  const file = join(folder, 'nginx.conf');
  const processes = [
    'daemon off',
    `pid ${join(folder, 'nginx.pid')}`,
    `error_log ${join(folder, 'error.log')}`,
  ];
  const main = read('nginx-main.conf')
    .replace('worker_processes auto;', [...processes, 'worker_processes 2;'].join(';\n'))
    .replace(
      '  include /etc/nginx/conf.d/*.conf;',
      `${temporary.join('')}  include ${join(folder, 'site.conf')};`,
    );
  writeFileSync(file, main);
  return { folder, file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns the output of `nginx -t`. @param {string} file */
export function check(file) {
  const { status, stderr } = spawnSync('nginx', ['-t', '-c', file], { env, encoding: 'utf8' });
  return { status, text: stderr };
}

/** nginx in front of these replicas, once it listens. @type {(replicaPorts: readonly string[], options?: { template?: string }) => Promise<Nginx>} */
export async function startNginx(replicaPorts, { template } = {}) {
  const port = await freePort();
  const { folder, file, remove } = configure(port, replicaPorts, template);
  const child = spawn('nginx', ['-c', file], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}/graphql`;
  const health = new URL('/health', url);
  while (!(await fetch(health).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'));
    await sleep(20);
  }
  return {
    url,
    logged: (name) => readFileSync(join(folder, `${name}.log`), 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      remove();
    },
  };
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
