const MAX_LINES = 12;
const MAX_LENGTH = 600;

const cut = (text) =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text;

function printLines(lines) {
  for (const line of lines.slice(0, MAX_LINES)) console.log(`    ${cut(line)}`);
  if (lines.length > MAX_LINES) console.log(`    … and ${lines.length - MAX_LINES} more`);
}

/** A difference, as short as it could be made, with what is needed to see it again. */
export function printDifference({ group, kind, faults, requests, differences, result, again }) {
  const names = (list) => [...new Set(list.map((one) => one.class))].join(', ');
  console.log(`\n=== ${names(differences)} === (group ${group}: ${kind}, faults: ${faults.mode})`);
  console.log(`again: npm run compare -- ${again}`);
  for (const [index, request] of requests.entries()) {
    const { via, operations, credentials, headers, after, raw, options } = request;
    const more = Object.entries({ ...credentials, ...headers, ...raw, after: after?.from, options });
    const shown = more.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`);
    console.log(`  ${index + 1}. ${via} ${shown.join('; ')}`);
    if (via === 'raw') continue;
    for (const { query, variables = {} } of operations) {
      console.log(`    ${cut(query).replaceAll('\n', '\n    ')}`);
      if (variables === null || Object.keys(variables).length > 0)
        console.log(`    variables ${cut(JSON.stringify(variables))}`);
    }
  }
  const shown = result.differences.length > 0 ? result.differences : differences;
  if (result.differences.length === 0)
    console.log('  It did not come again in the last try: it depends on time, or on what else runs.');
  for (const { class: name, lines } of shown) {
    console.log(`  ${name} (- old, + new)`);
    printLines(lines);
  }
  for (const [name, { parts, calls, status }] of [
    ['old', result.a],
    ['new', result.b],
  ]) {
    console.log(`  ${name} answer: ${status} ${cut(parts.map((part) => JSON.stringify(part)).join('\n'))}`);
    if (calls.length > 0) console.log(`  ${name} calls:`);
    printLines(calls.map(({ text, fields }) => `${text} [${fields}]`));
  }
}

export function printSummary(summary, different, seed, seconds) {
  const { operations, groups, kinds, classes, cursors, unsteady } = summary;
  const table = (counts) =>
    Object.entries(counts)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  console.log(`\n${operations} operations in ${groups} groups, seed ${seed}, ${seconds.toFixed(0)} s`);
  console.log(`requests: ${table(kinds)}`);
  console.log(`cursors: ${table(cursors) || 'none'}`);
  if (unsteady.length > 0)
    console.log(`differed, but not when tried again: ${unsteady.length} groups (${unsteady.join(', ')})`);
  console.log(different === 0 ? 'No differences.' : `${different} groups differ: ${table(classes)}`);
}
