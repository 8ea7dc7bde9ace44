import { type Style, styled, type TextOutput, withoutControlCharacters, wrapText } from '../terminal.ts';
import type { Finding, Outcome } from './finding.ts';

const MARKS: { readonly [outcome in Outcome]: { readonly mark: string; readonly style: Style } } = {
  passed: { mark: '✓', style: 'green' },
  warned: { mark: '!', style: 'yellow' },
  failed: { mark: '✗', style: 'red' },
  skipped: { mark: '–', style: 'dim' },
};
const MAX_WIDTH = 110;
const MIN_COLUMN_WIDTH = 30;

export interface Report {
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
