import '../../dist/production.js';

const { estimateCost } = await import('../../dist/request/cost.js');
const { execute } = await import('../../dist/execution/execute.js');
const { parseBounded, validateBounded } = await import('../../dist/request/documents/limits.js');
const { planOperation } = await import('../../dist/execution/operation.js');
const { createRestClient } = await import('../../dist/rest/client/client.js');
const { createRestCache } = await import('../../dist/rest/cache/rest-cache.js');
const { RestSession } = await import('../../dist/rest/session.js');
const { Budget } = await import('../../dist/execution/budget.js');
const { schema } = await import('../../dist/schema/index.js');

/** As by default. */
const LIMITS = { maxCalls: 50, maxFirst: 10_000, maxObjects: 100_000 };

/** Reads documents as the gateway does when it sees them for the first time, and says how long that took. */
export function createReader() {
  // Nothing listens there, and nothing is sent without a credential.
  const client = createRestClient({ url: new URL('http://127.0.0.1:9'), timeoutMs: 1000 });
  const cache = createRestCache(5000);
  const contextOf = () => {
    const rest = new RestSession({
      client,
      cache,
      credentials: {},
      owner: 'bench',
      parameterNames: {},
      maxCalls: LIMITS.maxCalls,
    });
    return {
      rest,
      loaders: {},
      maxFirst: LIMITS.maxFirst,
      budget: new Budget({ maxObjects: LIMITS.maxObjects, maxBytes: 32_000_000 }),
    };
  };

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
    const context = contextOf();
    estimateCost(planned, LIMITS);
    end('estimate');
    await execute(planned, context, context.budget);
    end('execute');
    return 'valid';
  }

  return { read, close: () => client.close() };
}
