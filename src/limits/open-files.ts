import { readFileSync } from 'node:fs';

/** How many files, and with them connections, this process may have open; no limit where the system does not tell. */
export function maxOpenFiles(limits = ownLimits()): number {
  const [, count] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return count === undefined ? Number.POSITIVE_INFINITY : Number(count);
}

/** Only Linux has them as a file. Node's own report would tell them too, and gathers much more. */
function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
