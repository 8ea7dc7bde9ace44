import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Several times what an operation may take: whoever waits longer has lost the answer. */
const PATIENCE_MS = 10_000;

/** Runs before the gateway: tells its heap after a collection, whenever it is asked. */
const TELL_HEAP = `
  process.on('message', (what) => {
    if (what === 'peak') return process.send(process.resourceUsage().maxRSS * 1024);
    gc(); gc(); process.send(process.memoryUsage().heapUsed);
  });
  process.channel.unref();
`;

/** The built gateway as a process of its own, with short timeouts so that faults end soon. */
export async function startGateway(restUrl, cacheTtlMs) {
  const module = `data:text/javascript,${encodeURIComponent(TELL_HEAP)}`;
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=512', '--import', module, main],
    {
      env: {
        PATH: process.env.PATH,
        LOG: 'off',
        PORT: '0',
        REST_URL: restUrl,
        REST_CLIENT_ID: 'demo-application',
        REST_CLIENT_SECRET: 'demo-application-secret',
        REST_TIMEOUT_MS: '500',
        REQUEST_TIMEOUT_MS: '2000',
        CACHE_TTL_MS: String(cacheTtlMs),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  let printed = '';
  let logged = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    logged = (logged + chunk).slice(-100_000);
  });
  const exit = once(child, 'exit');
  while (!printed.includes('is ready at')) {
    await Promise.race([once(child.stdout, 'data'), exit]);
    if (child.exitCode !== null) throw new Error(`The gateway did not start: ${logged}`);
  }
  const [, address] = /is ready at (\S+)/.exec(printed);
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });

  async function ask(what) {
    child.send(what);
    const [bytes] = await once(child, 'message');
    return bytes;
  }

  return {
    post: (body, headers, signal) => post(url, agent, body, headers, signal),
    logged: () => logged,
    port: Number(url.port),
    heap: () => ask('heap'),
    /** The most memory that it has taken. */
    peak: () => ask('peak'),
    ready: async () => (await fetch(new URL('/ready', url))).status,
    /** Null while it runs. */
    exitCode: () => child.exitCode,
    async stop() {
      child.kill('SIGTERM');
      const [status] = await exit;
      agent.destroy();
      return status;
    },
  };
}

/** An answer, or why there is none. A kept connection may close under a request: that is sent once more. */
async function post(url, agent, body, headers, signal) {
  const answer = await postOnce(url, agent, body, headers, signal);
  return answer.failed && answer.reused ? postOnce(url, agent, body, headers, signal) : answer;
}

function postOnce(url, agent, body, headers, signal) {
  return new Promise((resolve) => {
    const options = {
      method: 'POST',
      agent,
      signal,
      headers: { 'content-type': 'application/json', ...headers },
    };
    const outgoing = request(url, options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode, text }));
      incoming.on('error', (error) => resolve({ failed: error.message, reused: false }));
    });
    outgoing.on('error', (error) => resolve({ failed: error.message, reused: outgoing.reusedSocket }));
    const tooLate = () => outgoing.destroy(new Error(`no answer within ${PATIENCE_MS} milliseconds`));
    outgoing.setTimeout(PATIENCE_MS, tooLate).end(body);
  });
}
