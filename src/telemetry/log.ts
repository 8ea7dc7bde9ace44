import { type DestinationStream, pino } from 'pino';
import type { Config } from '../config/index.ts';
import { gauge } from './metrics/metrics.ts';

export type Level = 'info' | 'warn' | 'error';

export type Details = Readonly<Record<string, unknown>>;

/** Logs one event. Callers pass nothing secret and nothing that a caller has sent: no header, token, variable or body. */
export type Log = (level: Level, message: string, details?: Details) => void;

/** Where lines go, without waiting for whoever reads them. */
export interface LogOutput extends DestinationStream {
  on(event: 'drop' | 'drain' | 'error' | 'close', listener: () => void): unknown;
  end(): unknown;
  readonly destroyed?: boolean;
}

/** One write takes the lines of several operations. A reader that is 1 MB behind has stopped: more lines are dropped. */
export function bufferedOutput(fd: number = process.stdout.fd): LogOutput {
  // A pipe takes so much whole or not at all: processes that share one do not tear each other's lines.
  const limits = { minLength: 3_700, maxWrite: 4_096, maxLength: 1_000_000, periodicFlush: 100 };
  const output = pino.destination({ dest: fd, sync: false, ...limits });
  // By this pino writes what is left when the process exits, and waits for ever if its reader has stopped.
  return Object.assign(output, { flushSync() {} });
}

export type LogSettings = Pick<Config, 'logLevel' | 'logFormat'>;

const END_MS = 1_000;

export function createLogger({ logLevel, logFormat }: LogSettings, output = bufferedOutput()) {
  let dropped = 0;
  let toldDropped = 0;
  const logger = pino(
    {
      base: null,
      level: logLevel === 'off' ? 'silent' : 'info',
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    logFormat === 'json' ? output : { write: (line) => output.write(`${prettyLine(JSON.parse(line))}\n`) },
  );
  const log: Log = (level, message, details = {}) => logger[level](details, message);
  // A reader that has gone costs its lines, and nothing else.
  output.on('error', () => {});
  output.on('drop', () => {
    dropped += 1;
  });
  output.on('drain', () => {
    if (dropped > toldDropped) log('warn', 'log lines dropped', { dropped: dropped - toldDropped });
    toldDropped = dropped;
  });
  return {
    log,
    droppedMetric: gauge('receivables_log_lines_dropped_total', 'Log lines that nobody read.', () => dropped),
    /** Waits until the lines are written, though not long for a reader that has stopped. None is written after that. */
    end: () =>
      new Promise<void>((resolve) => {
        logger.level = 'silent';
        if (output.destroyed) return resolve();
        setTimeout(resolve, END_MS).unref();
        output.on('close', resolve);
        output.end();
      }),
  };
}

const QUIET_MS = 10_000;

/** Warns of what may happen a thousand times a second: once in ten seconds of what is alike. Metrics count them all. */
export function createThrottledWarning(log: Log) {
  /** By what was logged, which is one of a few. */
  const quietUntil = new Map<string, number>();
  return (message: string, details: Details): void => {
    const key = JSON.stringify([message, details]);
    const now = performance.now();
    if (now < (quietUntil.get(key) ?? 0)) return;
    quietUntil.set(key, now + QUIET_MS);
    log('warn', message, details);
  };
}

/** For a gateway that is used as a library, without a logger of its own. */
export const logToStderr: Log = (level, message, details) => {
  const time = new Date().toISOString();
  process.stderr.write(`${JSON.stringify({ time, level, message, ...details })}\n`);
};

/** For people at a terminal. */
function prettyLine({ time, level, message, ...details }: Details): string {
  const members = Object.entries(details).map(([name, value]) => `${name}=${prettyValue(value)}`);
  return [String(time).slice(11, 23), String(level).padEnd(5), message, ...members].join(' ');
}

function prettyValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(',') || '-';
  return typeof value === 'string' && /^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value);
}

/** Of `    at async name (file:///folder/file.js:12:3)`: the function, if it has a name, and the place in a file. */
const FRAME = /^\s+at (?:async )?(?:([\w$.<>#[\] ]+) \()?[^()]*[/\\]([\w.-]+\.[cm]?[jt]s:\d+):\d+\)?$/;

/** What may be logged of an unexpected error: not its message, which may hold a caller's data, but its name and place. */
export function getSafeDetails(error: unknown): Details {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').flatMap((line) => {
    const [, name, place] = FRAME.exec(line) ?? [];
    return place === undefined ? [] : [name === undefined ? place : `${name} ${place}`];
  });
  return { error: error.name, at: frames.slice(0, 10) };
}
