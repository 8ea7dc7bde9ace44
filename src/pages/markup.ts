export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#d60590" stroke-width="2.5" ' +
  'aria-hidden="true"><path d="M16 4l10.4 6v12L16 28 5.6 22V10z"/>' +
  '<path d="M11 13h10M11 17h10M11 21h6" stroke-linecap="round"/></svg>';

/** A page in both colour schemes; `style` is an element of its head. */
export function htmlDocument(title: string, style: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${encoded(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
${style}
</head>
<body>
${body}
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function encoded(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** A text in lines of at most as many characters. */
export function wrapped(text: string, columns: number): string {
  return text.replace(new RegExp(`(.{1,${columns}})(?: |$)`, 'g'), '$1\n').trimEnd();
}

/** Of all pages: each colour for a light and for a dark ground. */
export const PALETTE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#faf9fb, #16131a);
  --surface: light-dark(#ffffff, #1f1b25);
  --line: light-dark(#e6e2ea, #332d3c);
  --text: light-dark(#26212d, #ece8f1);
  --quiet: light-dark(#6a6374, #a59daf);
  --accent: light-dark(#b8047b, #ff7ac8);
  --good: light-dark(#1a8f5a, #4cc38a);
  --poor: light-dark(#b7791f, #e0a83f);
  --bad: light-dark(#cf3341, #ff7b85);
}
`;

export interface PageLink {
  readonly path: string;
  readonly what: string;
}

export const FRONT_PLACE: PageLink = { path: '/', what: 'Front page: what this is, and how it is doing' };
/** For the port of operators too. */
export const PROBE_PLACES: readonly PageLink[] = [
  { path: '/health', what: 'Health check: 200 while the process runs' },
  { path: '/ready', what: 'Readiness check: 200 while it accepts requests' },
];
export const STATUS_PLACE: PageLink = { path: '/status', what: 'Key figures of the last minute, as JSON' };
export const METRICS_PLACE: PageLink = { path: '/metrics', what: 'Metrics, for Prometheus' };

export function renderPlaces(places: readonly PageLink[]): string {
  const rows = places.map(
    ({ path, what }) =>
      `<li><a href="${encoded(path)}"><code>${encoded(path)}</code></a><span>${encoded(what)}</span></li>`,
  );
  return `<ul>\n${rows.join('\n')}\n</ul>`;
}
