/** For names and texts of clients in messages: they may be as long as a request. */
export function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
