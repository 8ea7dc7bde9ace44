import type { Writable } from 'node:stream';

export type Level = 'info' | 'warn' | 'error';

export interface Details {
  readonly [name: string]: unknown;
}

/** Logs one event. Callers pass nothing secret and nothing that a caller has sent: no header, token, variable or body. */
export type Log = (level: Level, message: string, details?: Details) => void;

export type LogFormat = 'json' | 'pretty';
export type LogLevel = 'off' | 'errors' | 'operations';

/** Lines are collected for this long, so that one write takes those of many operations. */
const FLUSH_MS = 100;
const FLUSH_LENGTH = 16_000;
/** A reader that is this far behind has stopped reading: further lines are dropped and counted, not kept in memory. */
const MAX_UNREAD = 1_000_000;
const END_MS = 1_000;

/**
 * Writes lines to a stream without waiting for whoever reads it. A reader that stops, or has gone, costs its lines and
 * nothing else. Node writes to a pipe without blocking, and `writableLength` is what the pipe has not taken yet. `onDrop`
 * gives the line that tells how many were dropped, for when lines are read again.
 */
export function createLineWriter(stream: Writable, onDrop: (dropped: number) => string) {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  let isBroken = false;
  let dropped = 0;
  let untoldDrops = 0;
  stream.on('error', () => {
    isBroken = true;
  });

  function flush(onWritten?: () => void): void {
    clearTimeout(timer);
    timer = undefined;
    const written = lines;
    lines = '';
    if (isBroken) onWritten?.();
    else if (written !== '' || onWritten) stream.write(written, onWritten && (() => onWritten()));
  }

  return {
    /** Lines that were dropped because nobody read them. */
    get dropped(): number {
      return dropped;
    },
    /** One line, or several that are separated by newlines. */
    write(line: string, count = 1): void {
      if (isBroken || stream.writableLength + lines.length > MAX_UNREAD) {
        dropped += count;
        untoldDrops += count;
        return;
      }
      if (untoldDrops > 0) lines += `${onDrop(untoldDrops)}\n`;
      untoldDrops = 0;
      lines += `${line}\n`;
      if (lines.length >= FLUSH_LENGTH) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flush: () => flush(),
    /** Waits until the lines are written, though not long for a reader that has stopped. */
    end: () =>
      new Promise<void>((resolve) => {
        const ending = setTimeout(resolve, END_MS);
        flush(() => {
          clearTimeout(ending);
          resolve();
        });
      }),
  };
}

const NO_LOG: Log = () => {};
type LineWriter = ReturnType<typeof createLineWriter>;
const NO_WRITER: LineWriter = { dropped: 0, write() {}, flush() {}, end: async () => {} };

/** `common` is part of every line. */
export function createLogger(logLevel: LogLevel, stream: Writable, format: LogFormat, common: Details = {}) {
  if (logLevel === 'off') return { event: NO_LOG, operation: NO_LOG, writer: NO_WRITER };
  const formatDetails = format === 'json' ? jsonLine : prettyLine;
  const hasCommon = Object.keys(common).length > 0;
  const formatLine = (level: Level, message: string, details: Details = {}) =>
    formatDetails(level, message, hasCommon ? { ...common, ...details } : details, Date.now());
  const writer = createLineWriter(stream, (dropped) => formatLine('warn', 'log lines dropped', { dropped }));
  const write: Log = (...line) => writer.write(formatLine(...line));
  /** Written at once: the process may end abruptly, and events are rare. */
  const event: Log = (...line) => {
    write(...line);
    writer.flush();
  };
  /** Those of operations are written together. */
  return { event, operation: write, writer };
}

/** For a gateway that is used as a library, without a logger of its own. */
export const logToStderr: Log = (level, message, details = {}) => {
  process.stderr.write(`${jsonLine(level, message, details, Date.now())}\n`);
};

export function jsonLine(level: Level, message: string, details: Details, time: number): string {
  return `{"time":"${isoTime(time)}","level":"${level}","message":${json(message)}${members(details)}}`;
}

function members(details: Details): string {
  let text = '';
  for (const name in details) {
    const value = details[name];
    if (value !== undefined) text += `,"${name}":${json(value)}`;
  }
  return text;
}

/** Nearly all values are numbers, and text that needs no escape: for those, JSON.stringify takes three times as long. */
function json(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
}

const PLAIN = /^[\w .:/-]*$/;

const COLORS: { readonly [level in Level]: string } = { info: '', warn: '\x1b[33m', error: '\x1b[31m' };
const RESET = '\x1b[0m';

/** For people at a terminal. */
export function prettyLine(level: Level, message: string, details: Details, time: number): string {
  const color = process.env.NO_COLOR ? '' : COLORS[level];
  const known = Object.entries(details).filter(([, value]) => value !== undefined);
  const members = known.map(([name, value]) => `${name}=${prettyValue(value)}`);
  const text = [isoTime(time).slice(11, 23), level.padEnd(5), message, ...members].join(' ');
  return color === '' ? text : `${color}${text}${RESET}`;
}

function prettyValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(',') || '-';
  return typeof value === 'string' && /^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value);
}

let second = Number.NaN;
let prefix = '';

/** A time as ISO 8601. The part up to the second is kept: `toISOString` took a third of a log line. */
export function isoTime(milliseconds: number): string {
  const current = Math.floor(milliseconds / 1000);
  if (current !== second) {
    second = current;
    prefix = new Date(current * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss.'.length);
  }
  return `${prefix}${String(milliseconds - current * 1000).padStart(3, '0')}Z`;
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
