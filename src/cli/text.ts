/**
 * Replaces control characters, so that text from elsewhere cannot send escape sequences to the terminal; and marks of
 * direction, invisible characters and line separators, with which it would show what it does not say.
 */
export function withoutControlCharacters(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Breaks text between words into lines of at most `width` characters; a longer word gets a line of its own. */
export function wrapText(text: string, width: number): string[] {
  const line = new RegExp(`[^ ].{0,${width - 1}}(?= |$)|[^ ]+`, 'g');
  return text.replace(/ +/g, ' ').match(line) ?? [''];
}

export function sentenceOf(text: string): string {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}
