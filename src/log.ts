import type { Config } from './config/index.ts';

/** One line of JSON per event. Callers pass nothing secret: no header, no token, no body. */
export type Log = (
  level: 'info' | 'error',
  message: string,
  details?: { readonly [name: string]: unknown },
) => void;

export const logLine: Log = (level, message, details) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...details })}\n`);
};

/** The log of a setting; a function is taken as it is. */
export function createLog(log: Config['log'] | Log = 'errors'): Log {
  if (typeof log === 'function') return log;
  return log === 'off' ? () => {} : logLine;
}
