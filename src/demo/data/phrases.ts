export function phrases(text: string): readonly string[] {
  return text.split('|').map((phrase) => phrase.trim());
}
