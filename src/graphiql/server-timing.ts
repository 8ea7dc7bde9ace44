/**
 * How long an answer took, as `343 ms · gateway 310 ms · REST 15 ms`: for this browser, and as far as the header
 * `Server-Timing` says, in the gateway and there in REST calls. What proxies have added to the header is left out.
 */
export function formatTiming(milliseconds: number, header: string | null): string {
  const timings = readServerTiming(header ?? '');
  const part = (name: string, label: string) => {
    const duration = timings.get(name);
    return duration === undefined ? [] : `${label} ${round(duration)} ms`;
  };
  return [`${round(milliseconds)} ms`, part('total', 'gateway'), part('rest', 'REST')].flat().join(' · ');
}

/** The durations in the header, by name. */
function readServerTiming(header: string): Map<string, number> {
  const entries = header.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  return new Map(
    entries.flatMap((entry) => {
      const [name = ''] = entry.split(';', 1);
      const [, duration] = /;\s*dur=([\d.]+)/.exec(entry.replace(/"[^"]*"/g, '')) ?? [];
      return duration === undefined ? [] : [[name.trim(), Number(duration)]];
    }),
  );
}

function round(milliseconds: number): number {
  return milliseconds < 10 ? Math.round(milliseconds * 10) / 10 : Math.round(milliseconds);
}
