import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { describeWith, program } from './requirements.ts';
import { listen } from './resources.ts';

export const describeWithRedis = describeWith(program('redis-server', 'redis-server'));

export interface TestRedis {
  readonly port: number;
  readonly url: string;
  signal(signal: NodeJS.Signals): void;
  /** Ends the server, which loses its data. */
  stop(): Promise<void>;
  start(...options: string[]): Promise<void>;
}

export async function startRedis(...options: string[]): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function start(...more: string[]): Promise<void> {
    const settings = { port, bind: '127.0.0.1', dir: tmpdir(), save: '', appendonly: 'no' };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const started = spawn('redis-server', [...args, ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    let output = '';
    for await (const chunk of started.stdout.iterator({ destroyOnReturn: false })) {
      output += chunk;
      if (output.includes('Ready to accept connections')) break;
    }
    if (started.exitCode !== null) throw new Error(`redis-server did not start: ${output}`);
    started.stdout.resume();
  }

  async function stop(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  await start(...options);
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    signal: (signal) => void child?.kill(signal),
    stop,
    start,
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, () => {});
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface TestProxy {
  readonly url: string;
  /** Decides what becomes of bytes to Redis: they are passed on, dropped, or passed on later. */
  onRequest: (bytes: Buffer, pass: () => void) => void;
  cut(): void;
}

/** Stands before Redis until the test is over, to delay or drop what passes. */
export async function startProxy(port: number): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const redis = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, redis],
      [redis, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    client.on('data', (bytes) => proxy.onRequest(bytes, () => redis.write(bytes)));
    redis.pipe(client);
  });
  const proxy: TestProxy = {
    url: `redis://127.0.0.1:${await listen(server)}`,
    onRequest: (_bytes, pass) => pass(),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}
