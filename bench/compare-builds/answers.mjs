/** Differs in each response, so it is removed before two responses are compared. */
const LEFT_OUT = /(requestId|[._]seenAt|\.explain|^\.extensions\.cost\.(?!calls).*)$/;
const CURSOR = /[._](cursor|_cursor|startCursor|endCursor)$/;
const IGNORED_HEADERS =
  /^(date|connection|keep-alive|content-length|transfer-encoding|server-timing|x-request-id)$/;

/** An answer in the form in which it is compared, with the cursors in it. */
export function readAnswer({ status, headers, text, isBroken, calls }) {
  const cursors = [];
  const raw = split(headers['content-type'] ?? '', text);
  const names = Object.keys(headers).filter((name) => !IGNORED_HEADERS.test(name));
  return {
    status: [status, isBroken ? 'broken' : 'complete'].join(' '),
    headers: names.map((name) => `${name}: ${headers[name]}`),
    parts: raw.map((part) => clean(part, '', cursors)),
    costs: raw.flatMap((part) => part?.extensions?.cost ?? []),
    explained: raw.flatMap((part) => part?.extensions?.explain ?? []).map(withoutTime),
    cursors,
    calls,
  };
}

const withoutTime = ({ milliseconds: _time, ...call }) => JSON.stringify(call);

/** Returns the JSON values of a body: one, those of an array or of lines; or else its text. */
function split(type, text) {
  try {
    if (type.includes('ndjson')) return text.trim().split('\n').map(JSON.parse);
    if (type.includes('json')) return [JSON.parse(text) ?? 'null'].flat();
  } catch {}
  return [{ text }];
}

function clean(value, path, cursors) {
  if (typeof value === 'string' && CURSOR.test(path)) {
    cursors.push(value);
    return '(cursor)';
  }
  if (Array.isArray(value)) return value.map((item, index) => clean(item, `${path}.${index}`, cursors));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !LEFT_OUT.test(`${path}.${name}`));
  return Object.fromEntries(members.map(([name, inner]) => [name, clean(inner, `${path}.${name}`, cursors)]));
}

/** How two answers differ: a list of classes, each with the lines that say what. */
export function compareAnswers(a, b, isCalm) {
  const found = [];
  const add = (name, lines) => lines.length > 0 && found.push({ class: name, lines });
  add('status', differences([a.status], [b.status]));
  add('headers', differences(a.headers, b.headers));
  add('number of results', differences([a.parts.length], [b.parts.length]));
  for (const [index, part] of a.parts.entries()) compareParts(part, b.parts[index] ?? {}, add);
  // Which operations of an array share a call depends on time.
  if (a.parts.length < 2) {
    compareCalls(a.calls, b.calls, add);
    add('explain', differences(a.explained, b.explained));
  }
  // Retries and shorter pages are not estimated.
  const low = b.costs.filter(({ calls, estimatedCalls = calls }) => isCalm && calls > estimatedCalls);
  add(
    'estimate too low',
    low.map((cost) => `+ ${JSON.stringify(cost)}`),
  );
  return found;
}

function compareParts(a, b, add) {
  const { errors: oldErrors = [], extensions: oldExtensions, ...oldData } = a;
  const { errors: newErrors = [], extensions: newExtensions, ...newData } = b;
  const brief = ({ message, path, extensions }) => JSON.stringify({ message, path, code: extensions?.code });
  const whole = (error) => JSON.stringify(error);
  add('data', firstDifference(oldData, newData));
  // The order differs: they come as calls end.
  const errors = differences(oldErrors.map(brief), newErrors.map(brief));
  add('errors', errors);
  if (errors.length === 0) add('error details', differences(oldErrors.map(whole), newErrors.map(whole)));
  add('cost.calls', differences([oldExtensions?.cost?.calls], [newExtensions?.cost?.calls]));
}

function compareCalls(a, b, add) {
  const whole = ({ text, fields }) => `${text} [${fields}]`;
  const textOf = ({ text }) => text;
  const names = (calls) => calls.flatMap(({ fields }) => fields.split(' ')).length;
  const areSame = differences(a.map(textOf), b.map(textOf)).length === 0;
  const [what, more] = areSame ? ['fields', names(b) - names(a)] : ['calls', b.length - a.length];
  const how = more === 0 ? 'others' : more > 0 ? 'more' : 'fewer';
  add(`${what} ${how}`, differences(a.map(whole), b.map(whole)));
}

/** Lines that only one of two lists has, as often as it has them more. */
function differences(a, b) {
  const left = [...b];
  const missing = a.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...missing.map((line) => `- ${line}`), ...left.map((line) => `+ ${line}`)];
}

function firstDifference(a, b, path = '') {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const areObjects = [a, b].every((value) => typeof value === 'object' && value !== null);
  const areAlike = areObjects && Array.isArray(a) === Array.isArray(b);
  for (const key of areAlike ? new Set([...Object.keys(a), ...Object.keys(b)]) : []) {
    const inner = firstDifference(a[key], b[key], `${path}.${key}`);
    if (inner.length > 0) return inner;
  }
  const shown = areAlike ? Object.keys : JSON.stringify;
  return [`at ${path.slice(1)}`, `- ${shown(a)}`, `+ ${shown(b)}`];
}
