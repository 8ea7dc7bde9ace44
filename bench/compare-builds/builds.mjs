import { Agent, request as send } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startServer } from '../processes.mjs';
import { compareAnswers, readAnswer } from './answers.mjs';
import { toHttp } from './requests.mjs';
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
};
/** Longer than any finite response takes. */
const PATIENCE_MS = 20_000;

/** A build of the gateway, with a REST service of its own. */
export async function startBuild(name, directory) {
  const service = await startService();
  const args = [join(directory, 'dist/main.js')];
  const { origin } = await startServer({ name, args, env: { ...SETTINGS, REST_URL: service.url } });
  return {
    service,
    /** Calls of different runs come from different addresses, so that no limit counts them together. */
    openRun(number, faults) {
      service.open(number, faults);
      const localAddress = `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${1 + (number & 127)}`;
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      return {
        async ask(http) {
          const answer = await exchange(`${origin}${http.path}`, { ...http, agent, localAddress });
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

function exchange(url, { body, ...options }) {
  return new Promise((resolve) => {
    const fail = (error) => resolve({ status: 0, headers: {}, text: String(error.code), isBroken: true });
    const outgoing = send(url, options, (incoming) => {
      const { statusCode: status, headers } = incoming;
      const end = (isBroken) => (read) => resolve({ status, headers, text: String(read), isBroken });
      text(incoming).then(end(false), end(true));
    });
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error(`No answer to ${url}`)));
    outgoing.on('error', fail).end(body);
  });
}

let runs = 0;

/** Sends the same requests to both builds, one after the other, as a new caller. */
export async function converse(builds, requests, faults, ignored) {
  runs += 1;
  const number = runs;
  const open = builds.map((build) => build.openRun(number, faults));
  const results = [];
  /** The values of the first response of each build. */
  let cursors;
  for (const request of requests) {
    const ask = async (run, build) => {
      const own = cursors?.[build] ?? [];
      const after = request.after === undefined ? undefined : own[request.after % own.length];
      return readAnswer(await run.ask(toHttp(request, number, after)));
    };
    const [a, b] = await Promise.all(open.map(ask));
    cursors ??= [a.cursors, b.cursors];
    const all = compareAnswers(a, b, faults.mode === 'none');
    results.push({ request, a, b, differences: all.filter((one) => !ignored.includes(one.class)) });
  }
  for (const run of open) run.close();
  return results;
}
