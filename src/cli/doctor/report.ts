import { styleText } from 'node:util';
import type { RestError } from '../../rest/errors.ts';
import { createProgress, type TextOutput, withoutControlCharacters, wrapText } from '../terminal.ts';

export interface Finding {
  readonly check: string;
  /** The list that a checked filter belongs to. */
  readonly list?: string;
  readonly outcome: Outcome;
  readonly message: string;
  readonly advice?: string | undefined;
  /** The filter whose parameter name the service does not recognise. */
  readonly unrecognisedFilter?: { readonly list: string; readonly argument: string };
}

/** Where checks put what they find. */
export interface Findings {
  add(finding: Finding): void;
  /** Told of the subject of each check before it starts. */
  checking(subject: string): void;
}

type Find = (check: string, message: string, advice?: string) => Finding;

export const passed: Find = (check, message) => ({ check, outcome: 'passed', message });
export const warned: Find = (check, message, advice) => ({ check, outcome: 'warned', message, advice });
export const failed: Find = (check, message, advice) => ({ check, outcome: 'failed', message, advice });
/** For a check that was not made, was inconclusive or does not apply. */
export const skipped: Find = (check, message) => ({ check, outcome: 'skipped', message });

/** The service's own message if it sent one, since that is the most specific; otherwise the gateway's. */
export function messageOf({ upstream, message }: RestError): string {
  return upstream?.message ?? message;
}

/** Only `failed` counts as a fault and makes the command fail. */
type Outcome = keyof typeof MARKS;

const MARKS = {
  passed: { mark: '✓', style: 'green' },
  warned: { mark: '!', style: 'yellow' },
  failed: { mark: '✗', style: 'red' },
  skipped: { mark: '–', style: 'dim' },
} as const;
const MAX_WIDTH = 110;
const MIN_COLUMN_WIDTH = 30;

/** Prints a table of findings row by row. `names` are those of all checks, so that the columns line up. */
export function createReport(
  { stdout, stderr }: { readonly stdout: TextOutput; readonly stderr: TextOutput },
  { names, colours }: { readonly names: readonly string[]; readonly colours: boolean },
) {
  const findings: Finding[] = [];
  const progress = createProgress(stderr);
  const nameWidth = Math.max(...names.map((name) => name.length));
  const width = Math.min(stdout.columns ?? MAX_WIDTH, MAX_WIDTH);
  const margin = nameWidth + 6;
  const paint = (text: string, style: 'bold' | (typeof MARKS)[Outcome]['style']) =>
    colours ? styleText(style, text, { validateStream: false }) : text;

  /** The text may quote the REST service. */
  const lines = (text: string, indent: number) =>
    wrapText(withoutControlCharacters(text), Math.max(MIN_COLUMN_WIDTH, width - indent));

  return {
    findings,
    title: (text: string) => stdout.write(`\n${paint(text, 'bold')}\n\n`),
    checking: (subject: string) => progress.show(`  … ${subject}`),
    /** Removes the line that tells what is being checked. */
    clear: progress.clear,

    add(finding: Finding) {
      progress.clear();
      findings.push(finding);
      const { check, list, outcome, message, advice } = finding;
      const { mark, style } = MARKS[outcome];
      const name = (list === undefined ? check : `  ${check}`).padEnd(nameWidth);
      for (const [index, line] of lines(message, margin).entries()) {
        const left = index === 0 ? `  ${paint(mark, style)} ${name}  ` : ' '.repeat(margin);
        stdout.write(`${left}${outcome === 'skipped' ? paint(line, 'dim') : line}\n`);
      }
      if (advice === undefined) return;
      for (const [index, line] of lines(advice, margin + 2).entries()) {
        stdout.write(`${' '.repeat(margin)}${paint(`${index === 0 ? '→' : ' '} ${line}`, style)}\n`);
      }
    },

    /** A paragraph of its own; `code` is meant to be copied, so it is not wrapped. */
    paragraph(text: string, code?: string) {
      stdout.write(`\n${lines(text, 0).join('\n')}\n`);
      if (code !== undefined) stdout.write(`\n  ${code}\n`);
    },
  };
}

/** How many findings had each outcome, as a sentence. */
export function summary(findings: readonly Finding[]): string {
  const count = (wanted: Outcome) => findings.filter(({ outcome }) => outcome === wanted).length;
  const failures = count('failed');
  const parts = [
    `${count('passed')} passed`,
    `${failures} ${failures === 1 ? 'fault' : 'faults'}`,
    count('warned') > 0 && `${count('warned')} to look at`,
    count('skipped') > 0 && `${count('skipped')} not checked`,
  ];
  return `${parts.filter((part) => part !== false).join(', ')}.`;
}
