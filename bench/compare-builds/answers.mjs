/** What differs for each answer and says nothing: it is left out before two answers are compared. */
const LEFT_OUT = [
  { at: /requestId$/, because: 'each request has its own' },
  {
    at: /(^|\.)extensions\.cost\.(?!calls$)/,
    because: 'only calls are promised to stay; estimates show on request',
  },
  { at: /\.explain\.\d+\.(milliseconds|bytes)$/, because: 'time, and how it is counted' },
  { at: /(^|[._])seenAt$/, because: 'the time of the gateway' },
];

/** Differences that are meant, each with its reason. All others are reported. */
const INTENDED = [
  {
    classes: ['errors', 'error details'],
    is: (a, b) => /truncatedErrors/.test(a.text + b.text),
    because: 'which of more than 500 errors are shown is free',
  },
  {
    classes: [
      'cost.calls',
      'calls more',
      'calls fewer',
      'calls others',
      'fields more',
      'fields fewer',
      'explain',
    ],
    is: (a, b) => a.parts.length > 1 && b.text.startsWith('['),
    because: 'which operations of an array share a call depends on time',
  },
];

const OPAQUE = /(^|[._])(cursor|_cursor|startCursor|endCursor|eventId)$/;
const IGNORED_HEADERS =
  /^(date|connection|keep-alive|content-length|transfer-encoding|server-timing|x-request-id|last-event-id)$/;

/** An answer in the form in which it is compared, with the cursors in it. */
export function readAnswer({ status, headers, text, isBroken, calls }) {
  const cursors = [];
  const raw = split(headers['content-type'] ?? '', text);
  const parts = raw.map((part) => clean(part, '', cursors));
  const costs = raw.flatMap((part) => part?.extensions?.cost ?? []);
  const kept = Object.entries(headers).filter(([name]) => !IGNORED_HEADERS.test(name));
  const compared = {
    status,
    headers: Object.fromEntries(kept.sort()),
    isBroken,
    parts: parts.map(sortErrors),
  };
  return { ...compared, text, cursors, costs, calls };
}

/** The JSON values of a body: one, those of an array, of lines or of events; or its text, if it is none. */
function split(type, text) {
  try {
    if (/^text\/event-stream/.test(type))
      return text
        .split(/\n\n+/)
        .map((event) => event.split('\n').find((line) => line.startsWith('data: {')))
        .filter(Boolean)
        .map((line) => JSON.parse(line.slice(6)));
    if (/ndjson/.test(type))
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    if (/json/.test(type)) return [JSON.parse(text)].flat();
  } catch {}
  return [{ text }];
}

function clean(value, path, cursors) {
  if (typeof value === 'string' && OPAQUE.test(path)) {
    cursors.push(value);
    return '(cursor)';
  }
  if (Array.isArray(value)) return value.map((item, index) => clean(item, `${path}.${index}`, cursors));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name]) => !LEFT_OUT.some(({ at }) => at.test(`${path}.${name}`.replace(/^\./, ''))),
  );
  return Object.fromEntries(members.map(([name, inner]) => [name, clean(inner, `${path}.${name}`, cursors)]));
}

/** Errors come in the order in which calls end, and explained calls in that in which they begin. */
function sortErrors(part) {
  if (typeof part !== 'object' || part === null) return part;
  const sorted = { ...part };
  const byText = (one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
  if (Array.isArray(part.errors)) sorted.errors = part.errors.toSorted(byText);
  if (part.extensions?.explain)
    sorted.extensions = {
      ...part.extensions,
      explain: part.extensions.explain.map(orderFields).sort(byText),
    };
  return sorted;
}

function orderFields(call) {
  const only = call.parameters?.fields?.only;
  if (!Array.isArray(only)) return call;
  const fields = { only: only.map((item) => JSON.stringify(item)).sort() };
  return { ...call, parameters: { ...call.parameters, fields } };
}

const brief = ({ message, path, extensions }) => JSON.stringify({ message, path, code: extensions?.code });

/** How two answers differ: a list of classes, each with the lines that say what. */
export function compareAnswers(a, b, isCalm) {
  const found = [];
  const add = (kind, lines) => found.push({ kind, lines: [lines].flat() });
  if (a.status !== b.status) add('status', [`- ${a.status}`, `+ ${b.status}`]);
  if (a.isBroken !== b.isBroken)
    add('connection', [`- ${a.isBroken ? 'broken' : 'complete'}`, `+ ${b.isBroken ? 'broken' : 'complete'}`]);
  const headers = differences(Object.entries(a.headers).map(String), Object.entries(b.headers).map(String));
  if (headers.length > 0) add('headers', headers);
  if (a.parts.length !== b.parts.length)
    add('number of results', [`- ${a.parts.length}`, `+ ${b.parts.length}`]);
  for (const [index, one] of a.parts.entries()) compareParts(one, b.parts[index] ?? {}, add);
  // Retries and shorter pages are not estimated.
  const low = b.costs.filter(({ calls, estimatedCalls = calls }) => isCalm && calls > estimatedCalls);
  if (low.length > 0)
    add(
      'estimate too low',
      low.map((cost) => `+ ${JSON.stringify(cost)}`),
    );
  compareCalls(a.calls, b.calls, add);
  return found.filter(({ kind }) => !INTENDED.some(({ is, classes }) => classes.includes(kind) && is(a, b)));
}

function compareParts(one, other, add) {
  const { errors: oldErrors = [], extensions: oldExtensions = {}, ...oldData } = one ?? {};
  const { errors: newErrors = [], extensions: newExtensions = {}, ...newData } = other ?? {};
  const place = firstDifference(oldData, newData);
  if (place)
    add(place.isOrder ? 'order of data' : 'data', [`at ${place.path}`, `- ${place.a}`, `+ ${place.b}`]);
  const errors = differences(oldErrors.map(brief), newErrors.map(brief));
  if (errors.length > 0) add('errors', errors);
  else {
    const details = differences(
      oldErrors.map((error) => JSON.stringify(error)),
      newErrors.map((error) => JSON.stringify(error)),
    );
    if (details.length > 0) add('error details', details);
  }
  const [oldCalls, newCalls] = [oldExtensions.cost?.calls, newExtensions.cost?.calls];
  if (oldCalls !== newCalls) add('cost.calls', [`- ${oldCalls}`, `+ ${newCalls}`]);
  const explained = firstDifference(oldExtensions.explain, newExtensions.explain);
  if (explained) add('explain', [`at ${explained.path}`, `- ${explained.a}`, `+ ${explained.b}`]);
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

function compareCalls(a, b, add) {
  const whole = ({ text, fields }) => `${text} [${fields}]`;
  const lines = differences(a.map(whole), b.map(whole));
  if (lines.length === 0) return;
  const others = differences(
    a.map(({ text }) => text),
    b.map(({ text }) => text),
  );
  const namesOf = (calls) => calls.flatMap(({ fields }) => fields.split(' ')).length;
  if (b.length > a.length) add('calls more', lines);
  else if (b.length < a.length) add('calls fewer', lines);
  else if (others.length > 0) add('calls others', lines);
  else add(namesOf(b) > namesOf(a) ? 'fields more' : 'fields fewer', lines);
}

function firstDifference(a, b, path = 'data') {
  if (JSON.stringify(a) === JSON.stringify(b)) return undefined;
  const areObjects = [a, b].every((value) => typeof value === 'object' && value !== null);
  if (!areObjects || Array.isArray(a) !== Array.isArray(b))
    return { path, a: JSON.stringify(a), b: JSON.stringify(b) };
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const inner = firstDifference(a[key], b[key], `${path}.${key}`.replace(/^data\.data/, 'data'));
    if (inner) return inner;
  }
  return { path, isOrder: true, a: Object.keys(a).join(), b: Object.keys(b).join() };
}
