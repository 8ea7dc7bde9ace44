/** Numbers that look random and are the same for the same seed (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound) => Math.floor(next() * bound);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)],
  };
}

const TICK_MS = 10;
/** The share of calls that go wrong. */
const SHARE = 0.2;

const rewriteRows = (change) => (body) =>
  Array.isArray(body?.data) ? { ...body, data: body.data.map(change) } : body;

const makers = [
  ({ below }) => ({ kind: 'delay', milliseconds: 1 + below(60) }),
  ({ pick }) => ({ kind: 'status', status: pick([500, 502, 503, 504]) }),
  ({ pick }) => ({ kind: 'status', status: 429, headers: { 'retry-after': pick(['0', '1', '30']) } }),
  () => ({ kind: 'reset' }),
  () => ({ kind: 'truncate' }),
  () => ({ kind: 'hang' }),
  () => ({ kind: 'body', body: '<html>down for maintenance</html>', contentType: 'text/html' }),
  () => ({ kind: 'rewrite', rewrite: rewriteRows((row) => ({ ...row, administration_id: '9999' })) }),
  () => ({
    kind: 'rewrite',
    rewrite: rewriteRows((row, index) => (index === 0 ? { ...row, name: null } : row)),
  }),
  () => ({ kind: 'rewrite', rewrite: () => ({ data: [], pagination: { cursor: 'again' } }) }),
];

/** Lets a share of the calls of a REST service go wrong until it is stopped. */
export function startFaults(rest, random) {
  const injected = {};
  let calls = 0;
  const tick = () => {
    const arrived = rest.calls.splice(0).length;
    calls += arrived;
    rest.behave();
    for (let left = Math.ceil(arrived * SHARE); left > 0; left -= 1)
      rest.misbehave(counted(random.pick(makers)(random)));
  };
  function counted(fault) {
    // The service asks whether a fault matches at the moment when it is about to use it up.
    const test = () => {
      injected[fault.kind] = (injected[fault.kind] ?? 0) + 1;
      return true;
    };
    return { ...fault, match: { path: { test } } };
  }
  const timer = setInterval(tick, TICK_MS);
  return {
    stop() {
      clearInterval(timer);
      rest.behave();
      calls += rest.calls.splice(0).length;
      return { calls, injected };
    },
  };
}
