/** Reads `a, b;q=0.5` as a → 1, b → 0.5. */
export function weights(header = ''): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
    }),
  );
}

/** A browser names HTML and none of the others; other clients do the reverse, or take whatever comes. */
export function prefersHtml(accept: string | undefined, others: readonly string[]): boolean {
  const accepted = weights(accept);
  const weight = (type: string) => accepted.get(type) ?? 0;
  return weight('text/html') > Math.max(...others.map(weight));
}
