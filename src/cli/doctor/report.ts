import { styleText } from 'node:util';
import { type Output, withoutControlCharacters, wrapText } from '../terminal.ts';

const MIN_WIDTH = 60;
const MAX_WIDTH = 110;
const NAME_WIDTH = 22;

export type Report = ReturnType<typeof createReport>;

export function createReport(stdout: Output, hasColors: boolean) {
  const counts = { passed: 0, failed: 0, warned: 0, skipped: 0 };
  const width = Math.max(MIN_WIDTH, Math.min(stdout.columns ?? MAX_WIDTH, MAX_WIDTH));
  /** The text may quote the REST service. */
  const wrapped = (text: string, column = 0) => wrapText(withoutControlCharacters(text), width, column);

  const row = (outcome: keyof typeof counts, mark: string, color: 'green' | 'yellow' | 'red' | 'dim') => {
    const symbol = hasColors ? styleText(color, mark, { validateStream: false }) : mark;
    const column = NAME_WIDTH + 6;
    return (check: string, message: string, advice = ''): void => {
      counts[outcome] += 1;
      stdout.write(`  ${symbol} ${check.padEnd(NAME_WIDTH)}  ${wrapped(message, column)}\n`);
      if (advice) stdout.write(`${' '.repeat(column)}→ ${wrapped(advice, column + 2)}\n`);
    };
  };

  const wrongNames: [list: string, argument: string][] = [];
  return {
    counts,
    wrongNames,
    passed: row('passed', '✓', 'green'),
    warned: row('warned', '!', 'yellow'),
    /** Only this makes the command fail. */
    failed: row('failed', '✗', 'red'),
    skipped: row('skipped', '–', 'dim'),
    code: (text: string) => stdout.write(`\n  ${text}\n`),
    paragraph: (text: string) => stdout.write(`\n${wrapped(text)}\n`),
  };
}
