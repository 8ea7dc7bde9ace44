import '../../dist/production.js';

const { estimateCalls } = await import('../../dist/gateway/cost.js');
const { execute } = await import('../../dist/execution/execute.js');
const { parseBounded, validateBounded } = await import('../../dist/gateway/documents/limits.js');
const { planOperation } = await import('../../dist/execution/operation.js');
const { Caller } = await import('../../dist/rest/client/cancellation.js');
const { createRestClient } = await import('../../dist/rest/client/client.js');
const { createMemories } = await import('../../dist/rest/cache/rest-cache.js');
const { schema } = await import('../../dist/schema/index.js');

/** Reads documents as the gateway does when it sees them for the first time, and says how long that took. */
export function createReader() {
  // Nothing listens there, and nothing is sent without a credential.
  const client = createRestClient({ url: new URL('http://127.0.0.1:9'), timeoutMs: 1000 });
  const memories = createMemories(5000);
  const contextOf = () => ({
    loaders: {},
    explain: false,
    maxFirst: 10_000,
    rest: {
      client,
      memories,
      fresh: false,
      startedAt: 0,
      credentials: {},
      parameterNames: {},
      caller: new Caller(),
      maxCalls: 50,
      calls: [],
      freshUntil: Number.POSITIVE_INFINITY,
    },
  });

  async function read(text) {
    const phases = {};
    const start = performance.now();
    let last = start;
    const end = (phase) => {
      const now = performance.now();
      phases[phase] = now - last;
      last = now;
    };
    const outcome = await outcomeOf(text, end).catch((error) => error.message.slice(0, 60));
    end('refuse');
    // What it takes to run is bounded by other limits, and mostly the errors of what cannot be read.
    return { milliseconds: last - start - (phases.execute ?? 0), phases, outcome };
  }

  async function outcomeOf(text, end) {
    const document = parseBounded(text);
    end('parse');
    const [error] = validateBounded(schema, document);
    end('validate');
    if (error) return error.message.slice(0, 60);
    const operation = document.definitions.find(({ kind }) => kind === 'OperationDefinition');
    const operationName = operation?.name?.value;
    const planned = planOperation({ schema, document, operationName, variableValues: {} });
    end('plan');
    const calls = estimateCalls(planned);
    end('estimate');
    if (calls > 50) return `${calls} calls`;
    await execute(planned, contextOf());
    end('execute');
    return 'valid';
  }

  return { read, close: () => client.close() };
}
