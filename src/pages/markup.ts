const ICON_PATHS =
  '<path d="M16 4l10.4 6v12L16 28 5.6 22V10z"/><path d="M11 13h10M11 17h10M11 21h6" stroke-linecap="round"/>';
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#d60590" stroke-width="2.5"' +
  ` aria-hidden="true">${ICON_PATHS}</svg>`;

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
