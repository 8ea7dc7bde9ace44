import { type DestinationStream, pino } from 'pino';
import { compositeKey } from '../composite-key.ts';
import { gauge } from './metrics/metrics.ts';

export type Level = 'info' | 'warn' | 'error';

export interface Details {
  readonly [name: string]: unknown;
}

/** Logs one event. Callers pass nothing secret and nothing that a caller has sent: no header, token, variable or body. */
export type Log = (level: Level, message: string, details?: Details) => void;

/** Lines are collected for this long, so that one write takes those of many operations. */
const FLUSH_MS = 100;
const FLUSH_LENGTH = 16_000;
/** A reader that is this far behind has stopped reading: further lines are dropped and counted, not kept in memory. */
const MAX_UNREAD = 1_000_000;
const END_MS = 1_000;

/** Where lines go, without waiting for whoever reads them. */
export interface LogOutput extends DestinationStream {
  /** Writes what was collected, unless something is being written. */
  flush?(): void;
  on?(event: 'drop' | 'drain' | 'error' | 'close', listener: () => void): unknown;
  end?(): unknown;
  readonly destroyed?: boolean;
}

export function standardOutput(fd: number = process.stdout.fd): LogOutput {
  return pino.destination({
    dest: fd,
    sync: false,
    minLength: FLUSH_LENGTH,
    maxLength: MAX_UNREAD,
    periodicFlush: FLUSH_MS,
  });
}

export interface LogSettings {
  readonly logLevel: 'off' | 'errors' | 'operations';
  readonly logFormat: 'json' | 'pretty';
  /** How many processes write to the log: of several, each line says which. */
  readonly workers?: number;
}

export function createLogger({ logLevel, logFormat, workers = 1 }: LogSettings, output: LogOutput) {
  let dropped = 0;
  let toldDropped = 0;
  const logger = pino(
    {
      base: workers > 1 ? { pid: process.pid } : null,
      level: logLevel === 'off' ? 'silent' : 'info',
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    logFormat === 'json' ? output : { write: (line) => output.write(`${prettyLine(JSON.parse(line))}\n`) },
  );

  /** Those of operations are written together. */
  const operation: Log = (level, message, details = {}) => logger[level](details, message);
  const flush = () => {
    if (logger.level !== 'silent') output.flush?.();
  };
  /** Written at once: the process may end abruptly, and events are rare. */
  const event: Log = (level, message, details) => {
    operation(level, message, details);
    flush();
  };
  // A reader that has gone costs its lines, and nothing else.
  output.on?.('error', () => {});
  output.on?.('drop', () => {
    dropped += 1;
  });
  output.on?.('drain', () => {
    if (dropped > toldDropped) event('warn', 'log lines dropped', { dropped: dropped - toldDropped });
    toldDropped = dropped;
  });
  const help = 'Log lines that were dropped because nobody read them.';
  return {
    event,
    operation,
    /** A line that another process has made. */
    forward(line: string): void {
      if (logger.level !== 'silent') output.write(`${line}\n`);
    },
    flush,
    droppedMetric: gauge('receivables_log_lines_dropped_total', help, () => dropped, { type: 'counter' }),
    /** Waits until the lines are written, though not long for a reader that has stopped. None is written after that. */
    end: () =>
      new Promise<void>((resolve) => {
        logger.level = 'silent';
        setTimeout(resolve, END_MS).unref();
        output.on?.('close', resolve);
        if (output.end === undefined || output.destroyed) return resolve();
        output.end();
      }),
  };
}

const PERIOD_MS = 10_000;
/** More than there can be of what no caller chooses; beyond, lines are left out. */
const MAX_KINDS = 200;

/** Warns of what may happen a thousand times a second: of what is alike once, and every ten seconds how often it was. */
export function createRepeatedLines(log: Log) {
  const allAlike = new Map<string, { readonly write: (count?: number) => void; unlogged: number }>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    for (const [key, alike] of allAlike) {
      if (alike.unlogged === 0) allAlike.delete(key);
      else alike.write(alike.unlogged);
      alike.unlogged = 0;
    }
    if (allAlike.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** Those with the same message and the same `by` are alike; `more` is told of the first. */
    add(message: string, by: { readonly [name: string]: string }, more?: Details): void {
      const key = compositeKey(message, ...Object.values(by));
      const known = allAlike.get(key);
      if (known) {
        known.unlogged += 1;
        return;
      }
      if (allAlike.size >= MAX_KINDS) return;
      const write = (count?: number) => log('warn', message, { ...by, ...more, count });
      allAlike.set(key, { write, unlogged: 0 });
      write();
      timer ??= setInterval(flush, PERIOD_MS).unref();
    },
    flush,
  };
}

/** For a gateway that is used as a library, without a logger of its own. */
export const logToStderr: Log = (level, message, details) => {
  const time = new Date().toISOString();
  process.stderr.write(`${JSON.stringify({ time, level, message, ...details })}\n`);
};

const COLORS: { readonly [level: string]: string } = { warn: '\x1b[33m', error: '\x1b[31m' };
const RESET = '\x1b[0m';

/** For people at a terminal. */
function prettyLine({ time, level, message, ...details }: Details): string {
  const members = Object.entries(details).map(([name, value]) => `${name}=${prettyValue(value)}`);
  const text = [String(time).slice(11, 23), String(level).padEnd(5), message, ...members].join(' ');
  const color = process.env.NO_COLOR ? undefined : COLORS[String(level)];
  return color === undefined ? text : `${color}${text}${RESET}`;
}

function prettyValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(',') || '-';
  return typeof value === 'string' && /^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value);
}

const MAX_FRAMES = 10;
/** Of `    at async name (file:///folder/file.js:12:3)`: the function, if it has a name, and the place in a file. */
const FUNCTION = /^\s+at (?:async )?([\w$.<>#[\] ]+) \(/;
const PLACE = /^([\w.-]+\.[cm]?[jt]s:\d+):\d+\)?$/;

/** What may be logged of an unexpected error: not its message, which may hold a caller's data, but its name and place. */
export function faultDetails(error: unknown): Details {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').flatMap((line) => {
    const folder = Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\'));
    const [, place] = (folder > 0 && PLACE.exec(line.slice(folder + 1))) || [];
    const [, name] = FUNCTION.exec(line) ?? [];
    return place === undefined ? [] : [name === undefined ? place : `${name} ${place}`];
  });
  return { error: error.name, at: frames.slice(0, MAX_FRAMES) };
}
