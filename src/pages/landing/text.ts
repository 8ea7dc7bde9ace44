import type { Status } from '../../telemetry/status.ts';
import type { Contents } from './contents.ts';
import { breakersText, FIGURES, figureText, periodText } from './figures.ts';

export function renderText(contents: Contents): string {
  const { title, version, lead, service, status, graphiql, places, example } = contents;
  const parts = [
    `${title} ${version}`,
    wrap(lead),
    wrap(`${service.name}: ${service.state}`),
    ...(status ? [statusText(status)] : []),
    columns(places.map(({ path, what }) => [path, what])),
    ...('absence' in graphiql ? [wrap(graphiql.absence)] : []),
    example,
  ];
  return `${parts.join('\n\n')}\n`;
}

function statusText(status: Status): string {
  const rows = FIGURES.map((figure) => [figure.label, figureText(status, figure)] as const);
  const breakers = ['Open circuit breakers', breakersText(status)] as const;
  return `The last ${periodText(status.seconds)}:\n${columns([...rows, breakers])}`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${first.padEnd(widest)}   ${second}`).join('\n');
}

function wrap(text: string): string {
  return text.replace(/(.{1,79})(?: |$)/g, '$1\n').trimEnd();
}
