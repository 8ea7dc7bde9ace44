// @ts-check
const TICK_MS = 10;
/** The share of calls that go wrong. */
const SHARE = 0.2;

/** @typedef {import('../../test/support/rest-service.mjs').DemoService} DemoService */
/** @typedef {import('../../test/support/rest-faults.ts').Fault} Fault */

/**
 * @template T
 * @param {readonly [T, ...T[]]} items
 */
export function pick(items) {
  return items[Math.floor(Math.random() * items.length)] ?? items[0];
}

/** @param {(row: Record<string, unknown>, index: number) => unknown} change */
function rewriteRows(change) {
  const rewrite = (/** @type {any} */ body) =>
    Array.isArray(body?.data) ? { ...body, data: body.data.map(change) } : body;
  return { kind: /** @type {const} */ ('rewrite'), rewrite };
}

/** @type {readonly [() => Fault, ...(() => Fault)[]]} */
const makers = [
  () => ({ kind: 'delay', milliseconds: 1 + Math.random() * 60 }),
  () => ({ kind: 'status', status: pick([500, 502, 503, 504]) }),
  () => ({ kind: 'status', status: 429, headers: { 'retry-after': pick(['0', '1', '30']) } }),
  () => ({ kind: 'reset' }),
  () => ({ kind: 'truncate' }),
  () => ({ kind: 'hang' }),
  () => ({ kind: 'body', body: '<html>down for maintenance</html>', contentType: 'text/html' }),
  () => rewriteRows((row) => ({ ...row, administration_id: '9999' })),
  () => rewriteRows((row, index) => (index === 0 ? { ...row, name: null } : row)),
  () => ({ kind: 'rewrite', rewrite: () => ({ data: [], pagination: { cursor: 'again' } }) }),
];

/**
 * Lets a share of the calls of a REST service go wrong until it is stopped, which gives how many calls there were.
 * @param {DemoService} rest
 */
export function startFaults(rest) {
  let calls = 0;
  const timer = setInterval(() => {
    const arrived = rest.calls.splice(0).length;
    calls += arrived;
    rest.behave();
    for (let left = Math.ceil(arrived * SHARE); left > 0; left -= 1) rest.misbehave(pick(makers)());
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    rest.behave();
    return calls + rest.calls.splice(0).length;
  };
}
