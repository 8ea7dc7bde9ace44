import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PALETTE } from '../../src/pages/markup.ts';

const style = PALETTE + readFileSync('scripts/docs/browser/style.css', 'utf8');

/** The variables and classes of the light scheme, and those of the dark one. */
const [light, dark] = [2, 3].map((scheme) => {
  const pairs = style.matchAll(/(\w+)(?:: | \{\s*color: )light-dark\((#\w{6}), (#\w{6})\);/g);
  return new Map(Array.from(pairs, (pair) => [`${pair[1]}`, `${pair[scheme]}`]));
});

/** As WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const TEXT = ['text', 'quiet', 'accent', 'keyword', 'string', 'number', 'type', 'variable', 'property'];

test.each([
  ['light', light],
  ['dark', dark],
])('every colour of text can be read in the %s scheme', (_scheme, colours = new Map()) => {
  const grounds = ['surface', 'ground'].map((name) => colours.get(name) ?? '');
  const faint = TEXT.filter((name) =>
    grounds.some((ground) => !(contrast(colours.get(name) ?? '', ground) >= 4.5)),
  );
  expect(faint).toEqual([]);
});
