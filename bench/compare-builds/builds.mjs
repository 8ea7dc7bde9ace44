import { Agent, request as send } from 'node:http';
import { join } from 'node:path';
import { startServer } from '../processes.mjs';
import { startService } from './service.mjs';

const SETTINGS = {
  PORT: '0',
  HOST: '127.0.0.1',
  LOG: 'off',
  COMPRESSION: 'off',
  REST_CLIENT_ID: 'demo-application',
  REST_CLIENT_SECRET: 'demo-application-secret',
  // Nothing may depend on how fast the machine is.
  CACHE_TTL_MS: '3600000',
  CHANGES_POLL_MS: '3600000',
};
/** Longer than any answer takes whose end is known. */
const PATIENCE_MS = 20_000;

/** A build of the gateway, with a REST service of its own. */
export async function startBuild(name, directory) {
  const service = await startService();
  const args = [join(directory, 'dist/main.js')];
  const env = { ...SETTINGS, REST_URL: service.url };
  const { origin } = await startServer({ name: `The ${name} build`, args, env, cwd: directory });
  return {
    name,
    service,
    /** Calls of different runs come from different addresses, so that no limit counts them together. */
    openRun(number, faults) {
      service.open(number, faults);
      const localAddress = `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${1 + (number & 127)}`;
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      return {
        async ask(http, events) {
          const answer = await exchange(`${origin}${http.path}`, { ...http, agent, localAddress }, events);
          return { ...answer, calls: service.takeCalls(number) };
        },
        close() {
          agent.destroy();
          service.close(number);
        },
      };
    },
  };
}

/** Reads a whole answer, or so many events of a stream. */
function exchange(url, { body, ...options }, events = Number.POSITIVE_INFINITY) {
  return new Promise((resolve, reject) => {
    const outgoing = send(url, options, (incoming) => {
      let text = '';
      const end = (isBroken) =>
        resolve({ status: incoming.statusCode, headers: incoming.headers, text, isBroken });
      incoming.setEncoding('utf8').on('data', (part) => {
        text += part;
        if (text.split('\nevent: next').length <= events) return;
        const complete = text.split(/\n\n(?=event: next)/);
        if (complete.length <= events && !text.endsWith('\n\n')) return;
        text = complete
          .slice(0, events + 1)
          .join('\n\n')
          .trimEnd();
        end(false);
        incoming.destroy();
      });
      incoming.on('end', () => end(false)).on('error', () => end(true));
    });
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error(`No answer to ${url}`)));
    outgoing.on(
      'error',
      (error) =>
        resolve({ status: 0, headers: {}, text: String(error.code ?? error.message), isBroken: true }) ??
        reject,
    );
    outgoing.end(body);
  });
}
