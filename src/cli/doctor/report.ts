import type { RestError } from '../../rest/errors.ts';
import { type Style, styled, type TextOutput, withoutControlCharacters, wrapText } from '../terminal.ts';

/** Only `failed` counts as a fault and makes the command fail. */
export type Outcome = 'passed' | 'warned' | 'failed' | 'skipped';

/** The result of one check. */
export interface Finding {
  /** The name of the check. */
  readonly check: string;
  /** The list that a checked filter belongs to. */
  readonly list?: string;
  readonly outcome: Outcome;
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
  /** The filter whose parameter name the service does not recognise. */
  readonly unrecognisedFilter?: FilterReference;
}

interface FilterReference {
  readonly list: string;
  readonly argument: string;
}

/** Called with the subject of each check before it starts. */
export type OnProgress = (subject: string) => void;

export function passed(check: string, message: string): Finding {
  return { check, outcome: 'passed', message };
}

export function warned(check: string, message: string, advice: string): Finding {
  return { check, outcome: 'warned', message, advice };
}

export function failed(check: string, message: string, advice?: string): Finding {
  return { check, outcome: 'failed', message, ...(advice !== undefined && { advice }) };
}

/** For a check that was not made, was inconclusive or does not apply. */
export function skipped(check: string, message: string): Finding {
  return { check, outcome: 'skipped', message };
}

/** The service's own message if it sent one, since that is the most specific; otherwise the gateway's. */
export function messageOf({ upstream, message }: RestError): string {
  return upstream?.message ?? message;
}

const MARKS: { readonly [outcome in Outcome]: { readonly mark: string; readonly style: Style } } = {
  passed: { mark: '✓', style: 'green' },
  warned: { mark: '!', style: 'yellow' },
  failed: { mark: '✗', style: 'red' },
  skipped: { mark: '–', style: 'dim' },
};
const MAX_WIDTH = 110;
const MIN_COLUMN_WIDTH = 30;

interface Report {
  title(text: string): void;
  add(finding: Finding): void;
  /** A paragraph of its own; `code` is meant to be copied, so it is not wrapped. */
  paragraph(text: string, code?: string): void;
}

/** Prints a table of findings row by row. `names` are those of all checks, so that the columns line up. */
export function createReport(
  output: TextOutput,
  { names, colours }: { readonly names: readonly string[]; readonly colours: boolean },
): Report {
  const nameWidth = Math.max(...names.map((name) => name.length));
  const width = Math.min(output.columns ?? MAX_WIDTH, MAX_WIDTH);
  const margin = nameWidth + 6;
  const paint = (text: string, style: Style) => (colours ? styled(text, style) : text);

  /** The text may quote the REST service. */
  const lines = (text: string, indent: number) =>
    wrapText(withoutControlCharacters(text), Math.max(MIN_COLUMN_WIDTH, width - indent));

  return {
    title: (text) => output.write(`\n${paint(text, 'bold')}\n\n`),

    add({ check, list, outcome, message, advice }) {
      const { mark, style } = MARKS[outcome];
      const name = (list === undefined ? check : `  ${check}`).padEnd(nameWidth);
      for (const [index, line] of lines(message, margin).entries()) {
        const left = index === 0 ? `  ${paint(mark, style)} ${name}  ` : ' '.repeat(margin);
        output.write(`${left}${outcome === 'skipped' ? paint(line, 'dim') : line}\n`);
      }
      if (advice === undefined) return;
      for (const [index, line] of lines(advice, margin + 2).entries()) {
        output.write(`${' '.repeat(margin)}${paint(`${index === 0 ? '→' : ' '} ${line}`, style)}\n`);
      }
    },

    paragraph(text, code) {
      output.write(`\n${lines(text, 0).join('\n')}\n`);
      if (code !== undefined) output.write(`\n  ${code}\n`);
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
