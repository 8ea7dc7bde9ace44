import { type DestinationStream, pino } from 'pino';
import type { Config } from '../config/index.ts';
import { gauge } from './metrics/metrics.ts';

export type Level = 'info' | 'warn' | 'error';

export type Details = Readonly<Record<string, unknown>>;

/** Callers pass no secrets and nothing that a client sent: no header, token, variable or body. */
export type Log = (level: Level, message: string, details?: Details) => void;

export interface LogOutput extends DestinationStream {
  on(event: 'drop' | 'drain' | 'error' | 'close', listener: () => void): unknown;
  end(): unknown;
  readonly destroyed?: boolean;
}

/** Combines the lines of several operations into one write. Drops lines while 1 MB waits for the reader. */
export function bufferedOutput(fd: number = process.stdout.fd): LogOutput {
  // A pipe takes this much atomically: processes that share one do not split each other's lines.
  const limits = { minLength: 3_700, maxWrite: 4_096, maxLength: 1_000_000, periodicFlush: 100 };
  const output = pino.destination({ dest: fd, sync: false, ...limits });
  // pino calls `flushSync` on exit, which would block forever if the reader has stopped.
  return Object.assign(output, { flushSync() {} });
}

export type LogSettings = Pick<Config, 'logLevel' | 'logFormat'>;

const END_MS = 1_000;

export function createLogger({ logLevel, logFormat }: LogSettings, output = bufferedOutput()) {
  let dropped = 0;
  let reportedDropped = 0;
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
  output.on('error', () => {});
  output.on('drop', () => {
    dropped += 1;
  });
  output.on('drain', () => {
    if (dropped > reportedDropped) log('warn', 'log lines dropped', { dropped: dropped - reportedDropped });
    reportedDropped = dropped;
  });
  return {
    log,
    droppedMetric: gauge('receivables_log_lines_dropped_total', 'Dropped log lines.', () => dropped),
    /** Waits at most a second until the lines are written. No lines are written after that. */
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

const WARNING_INTERVAL_MS = 10_000;

/** Logs equal warnings once in ten seconds: some occur a thousand times a second. Metrics count them all. */
export function createThrottledWarning(log: Log) {
  const nextWarningAt = new Map<string, number>();
  return (message: string, details: Details): void => {
    const key = JSON.stringify([message, details]);
    const now = performance.now();
    if (now < (nextWarningAt.get(key) ?? 0)) return;
    nextWarningAt.set(key, now + WARNING_INTERVAL_MS);
    log('warn', message, details);
  };
}

export const logToStderr: Log = (level, message, details) => {
  const time = new Date().toISOString();
  process.stderr.write(`${JSON.stringify({ time, level, message, ...details })}\n`);
};

function prettyLine({ time, level, message, ...details }: Details): string {
  const members = Object.entries(details).map(([name, value]) => `${name}=${prettyValue(value)}`);
  return [String(time).slice(11, 23), String(level).padEnd(5), message, ...members].join(' ');
}

function prettyValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(',') || '-';
  return typeof value === 'string' && /^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value);
}

/** Matches `    at async name (file:///folder/file.js:12:3)`: a function, if it has a name, and a position. */
const FRAME = /^\s+at (?:async )?(?:([\w$.<>#[\] ]+) \()?[^()]*[/\\]([\w.-]+\.[cm]?[jt]s:\d+):\d+\)?$/;

/** Returns the name and position of an unexpected error, but not its message, which may hold a caller's data. */
export function getSafeDetails(error: unknown): Details {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').flatMap((line) => {
    const [, name, position] = FRAME.exec(line) ?? [];
    return position === undefined ? [] : [name === undefined ? position : `${name} ${position}`];
  });
  return { error: error.name, at: frames.slice(0, 10) };
}
