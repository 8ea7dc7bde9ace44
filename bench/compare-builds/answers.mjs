/** What differs for each answer and says nothing: it is left out before two answers are compared. */
const LEFT_OUT = [
  { at: /requestId$/, because: 'each request has its own' },
  {
    at: /^\.extensions\.cost\.(?!calls$)/,
    because: 'only calls are promised',
  },
  { at: /\.explain\.\d+\.(milliseconds|bytes)$/, because: 'time, and how it is counted' },
  { at: /[._]seenAt$/, because: 'the time of the gateway' },
];

/** Differences that are meant, each with its reason. All others are reported. */
const INTENDED = [
  {
    classes: /^error/,
    is: (a, b) => /truncatedErrors/.test(a.text + b.text),
    because: 'which of more than 500 errors are shown is free',
  },
  {
    classes: /calls|fields|explain/,
    is: (a, b) => a.parts.length > 1 && b.text.startsWith('['),
    because: 'which operations of an array share a call depends on time',
  },
];

const OPAQUE = /[._](cursor|_cursor|startCursor|endCursor|eventId)$/;
const IGNORED_HEADERS =
  /^(date|connection|keep-alive|content-length|transfer-encoding|server-timing|x-request-id|last-event-id)$/;

/** An answer in the form in which it is compared, with the cursors in it. */
export function readAnswer({ status, headers, text, isBroken, calls }) {
  const cursors = [];
  const raw = split(headers['content-type'] ?? '', text);
  const parts = raw.map((part) => inOrder(clean(part, '', cursors)));
  const costs = raw.flatMap((part) => part?.extensions?.cost ?? []);
  const names = Object.keys(headers).filter((name) => !IGNORED_HEADERS.test(name));
  const end = isBroken ? 'broken' : 'complete';
  return {
    status,
    end,
    headers: names.map((name) => `${name}: ${headers[name]}`),
    parts,
    costs,
    cursors,
    calls,
    text,
  };
}

/** The JSON values of a body: one, those of an array, of lines or of events; or its text, if it is none. */
function split(type, text) {
  const parseAll = (lines) => lines.map((line) => JSON.parse(line));
  try {
    if (type.startsWith('text/event-stream')) return parseAll(text.match(/(?<=^data: )\{.*/gm) ?? []);
    if (type.includes('ndjson')) return parseAll(text.trim().split('\n'));
    if (type.includes('json')) return [JSON.parse(text) ?? 'null'].flat();
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
  const isKept = (name) => !LEFT_OUT.some(({ at }) => at.test(`${path}.${name}`));
  const members = Object.entries(value).filter(([name]) => isKept(name));
  return Object.fromEntries(members.map(([name, inner]) => [name, clean(inner, `${path}.${name}`, cursors)]));
}

/** Errors come in the order in which calls end, explained calls in that in which they begin. */
function inOrder(part) {
  const byText = (one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
  const { errors, extensions } = part;
  const explain = extensions?.explain?.map(inOrderOfFields).sort(byText);
  return {
    ...part,
    ...(Array.isArray(errors) && { errors: errors.toSorted(byText) }),
    ...(explain && { extensions: { ...extensions, explain } }),
  };
}

function inOrderOfFields(call) {
  const only = call.parameters?.fields?.only;
  const fields = only?.map((item) => JSON.stringify(item)).sort();
  return only ? { ...call, parameters: { ...call.parameters, fields } } : call;
}

/** How two answers differ: a list of classes, each with the lines that say what. */
export function compareAnswers(a, b, isCalm) {
  const found = [];
  const add = (name, lines) => lines.length > 0 && found.push({ class: name, lines });
  add('status', differences([a.status], [b.status]));
  add('connection', differences([a.end], [b.end]));
  add('headers', differences(a.headers, b.headers));
  add('number of results', differences([a.parts.length], [b.parts.length]));
  for (const [index, part] of a.parts.entries()) compareParts(part, b.parts[index] ?? {}, add);
  compareCalls(a.calls, b.calls, add);
  // Retries and shorter pages are not estimated.
  const low = b.costs.filter(({ calls, estimatedCalls = calls }) => isCalm && calls > estimatedCalls);
  add(
    'estimate too low',
    differences(
      [],
      low.map((cost) => JSON.stringify(cost)),
    ),
  );
  return found.filter((one) => !INTENDED.some(({ is, classes }) => classes.test(one.class) && is(a, b)));
}

const briefError = ({ message, path, extensions }) =>
  JSON.stringify({ message, path, code: extensions?.code });
const wholeError = (error) => JSON.stringify(error);

function compareParts(a, b, add) {
  const { errors: oldErrors = [], extensions: oldExtensions = {}, ...oldData } = a;
  const { errors: newErrors = [], extensions: newExtensions = {}, ...newData } = b;
  const place = firstDifference(oldData, newData);
  add(place?.isOrder ? 'order of data' : 'data', place?.lines ?? []);
  const errors = differences(oldErrors.map(briefError), newErrors.map(briefError));
  add('errors', errors);
  if (errors.length === 0)
    add('error details', differences(oldErrors.map(wholeError), newErrors.map(wholeError)));
  add('cost.calls', differences([oldExtensions.cost?.calls], [newExtensions.cost?.calls]));
  add('explain', firstDifference(oldExtensions.explain, newExtensions.explain)?.lines ?? []);
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
  const textOf = ({ text }) => text;
  const names = (calls) => calls.flatMap(({ fields }) => fields.split(' ')).length;
  const areSame = differences(a.map(textOf), b.map(textOf)).length === 0;
  const [what, more] = areSame ? ['fields', names(b) - names(a)] : ['calls', b.length - a.length];
  const how = more === 0 ? 'others' : more > 0 ? 'more' : 'fewer';
  add(`${what} ${how}`, differences(a.map(whole), b.map(whole)));
}

function firstDifference(a, b, path = '') {
  if (JSON.stringify(a) === JSON.stringify(b)) return undefined;
  const areObjects = [a, b].every((value) => typeof value === 'object' && value !== null);
  const areAlike = areObjects && Array.isArray(a) === Array.isArray(b);
  for (const key of areAlike ? new Set([...Object.keys(a), ...Object.keys(b)]) : []) {
    const inner = firstDifference(a[key], b[key], `${path}.${key}`);
    if (inner) return inner;
  }
  const shown = areAlike ? Object.keys : JSON.stringify;
  return { isOrder: areAlike, lines: [`at ${path.slice(1)}`, `- ${shown(a)}`, `+ ${shown(b)}`] };
}
