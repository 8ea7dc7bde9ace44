interface Timing {
  readonly description: string | undefined;
  readonly milliseconds: string | undefined;
}

/**
 * What the gateway says of an answer in `Server-Timing`, as `3 calls 12 ms · cache miss · total 15 ms`. Null if it says
 * nothing; what proxies have added is left out.
 */
export function formatServerTiming(header: string | null): string | null {
  const timings = readServerTiming(header ?? '');
  const part = (name: string, label: string) => {
    const timing = timings.get(name);
    if (timing === undefined) return [];
    const { description, milliseconds } = timing;
    return [label, description, milliseconds && `${milliseconds} ms`].filter(Boolean).join(' ');
  };
  return [part('rest', ''), part('cache', 'cache'), part('total', 'total')].flat().join(' · ') || null;
}

/** The entries of the header, by name. */
function readServerTiming(header: string): Map<string, Timing> {
  const entries = header.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  return new Map(
    entries.map((entry) => {
      const [name = ''] = entry.split(';', 1);
      const [, quoted, plain] = /;\s*desc=(?:"([^"]*)"|([^;\s]+))/.exec(entry) ?? [];
      const [, duration] = /;\s*dur=([\d.]+)/.exec(entry) ?? [];
      return [
        name.trim(),
        { description: quoted ?? plain, milliseconds: duration && round(Number(duration)) },
      ];
    }),
  );
}

function round(milliseconds: number): string {
  return String(milliseconds < 10 ? milliseconds : Math.round(milliseconds));
}
