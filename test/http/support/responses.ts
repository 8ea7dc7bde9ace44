import { connect } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Pipeline } from './pipelines.ts';

/** One response of a connection. */
export interface Answer {
  /** Status and body, without what differs from one request to the next. */
  readonly content: string;
  /** Whether it says that the connection closes. */
  readonly closes: boolean;
}

/** The complete final responses in what was read, to requests of these kinds. */
export function answersIn(text: string, kinds: readonly string[], mayBeCut = false): Answer[] {
  const answers: Answer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (Number.isNaN(status)) throw new Error(`no response: ${rest.slice(0, 200)}`);
    const isEmpty = status === 204 || status === 304 || kinds[answers.length]?.startsWith('HEAD');
    const length = status === 100 || isEmpty ? 0 : Number(/^Content-Length: (\d+)$/im.exec(head)?.[1]);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) {
      if (mayBeCut) break;
      throw new Error(`half a response: ${rest.slice(0, 200)}`);
    }
    rest = rest.slice(end + 4 + length);
    if (status === 100) continue;
    const content = `${status} ${body.replaceAll(/"requestId":"[\w-]+"|"cost":\{.*?\}/g, '')}`;
    answers.push({ content, closes: /^Connection: close$/im.test(head) });
  }
  return answers;
}

/** Only to say which conversation hangs. */
const MAX_MS = 20_000;

interface Conversation {
  readonly text: string;
  /** Whether the server has ended the connection. */
  readonly isEnded: boolean;
}

/**
 * Sends packets on a connection of its own, and reads until the server ends it, all requests of these kinds have their
 * answers, or the client itself leaves.
 */
export function converse(
  url: string,
  packets: readonly string[],
  { leaves, until }: { readonly leaves?: Pipeline['leaves']; readonly until: readonly string[] },
): Promise<Conversation> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (isEnded: boolean) => {
      clearTimeout(timer);
      resolve({ text, isEnded });
      socket.destroy();
    };
    const timer = setTimeout(() => finish(false), MAX_MS);
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
      .setNoDelay()
      .setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      if (leaves === undefined && answersIn(text, until, true).length >= until.length) finish(false);
    });
    socket.once('end', () => finish(true)).once('close', () => finish(true));
    socket.on('error', () => {});
    void (async () => {
      for (const packet of packets) {
        await new Promise((sent) => socket.write(packet, sent));
        await immediate();
      }
      if (leaves === 'aborts') socket.resetAndDestroy();
      if (leaves === 'closes its end') socket.end();
    })();
  });
}
