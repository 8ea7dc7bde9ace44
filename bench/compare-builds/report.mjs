const MAX_LINES = 12;
const MAX_LENGTH = 600;

const cut = (text) =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text;

function printLines(lines) {
  for (const line of lines.slice(0, MAX_LINES)) console.log(`    ${cut(line)}`);
  if (lines.length > MAX_LINES) console.log(`    … and ${lines.length - MAX_LINES} more`);
}

/** A difference, with what is needed to see it again. */
export function printDifference({ group, kind, faults, requests, classes, result }, again) {
  console.log(`\n=== ${classes} === (group ${group}: ${kind}, faults: ${faults.mode})`);
  console.log(`again: npm run compare -- ${again}`);
  for (const { via, operations, credentials, headers, raw, options } of requests) {
    const more = Object.entries({ ...credentials, ...headers, ...raw, options });
    const shown = more.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`);
    console.log(`  ${via} ${shown.join('; ')}`);
    for (const { query, variables = {} } of raw ? [] : operations)
      printLines([...query.split('\n'), `variables ${JSON.stringify(variables)}`]);
  }
  for (const { class: name, lines } of result.differences) {
    console.log(`  ${name} (- old, + new)`);
    printLines(lines);
  }
  for (const [name, { parts, calls, status }] of Object.entries({ old: result.a, new: result.b })) {
    console.log(`  ${name} answer: ${status} ${cut(parts.map((part) => JSON.stringify(part)).join('\n'))}`);
    printLines(calls.map(({ text, fields }) => `${text} [${fields}]`));
  }
}
