import type { Contents } from './contents.ts';

export function renderText({ title, version, lead, service, graphiql, places, example }: Contents): string {
  const widest = Math.max(...places.map(({ path }) => path.length));
  const parts = [
    `${title} ${version}`,
    wrap(lead),
    wrap(`${service.name}: ${service.state}`),
    places.map(({ path, what }) => `${path.padEnd(widest)}   ${what}`).join('\n'),
    ...('absence' in graphiql ? [wrap(graphiql.absence)] : []),
    example,
  ];
  return `${parts.join('\n\n')}\n`;
}

function wrap(text: string): string {
  return text.replace(/(.{1,79})(?: |$)/g, '$1\n').trimEnd();
}
