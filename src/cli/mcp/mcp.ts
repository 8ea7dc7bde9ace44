import { version } from '../../package.ts';
import type { Runner } from '../arguments.ts';
import { CommandFailure, describeErrors, UsageError } from '../failure.ts';
import { openGateway, readGatewayUrl } from '../gateway.ts';
import { createRun, type Outcome } from './operations.ts';
import { createTools, type Tool, type ToolArguments } from './tools.ts';
import { createVisibleSchema } from './visible-schema.ts';

const WAITING = { timeouts: { headersTimeout: 120_000 }, maxTokenWaitS: 2, maxPauseMs: 5_000 };
const MISSING = 'mcp needs an optional package. Run: npm install @modelcontextprotocol/server';

/** Serves an AI assistant over standard input and output until it disconnects. */
export const runMcp: Runner<'mcp'> = async ({ values: options }, context) => {
  const { fromJsonSchema, McpServer } = await import('@modelcontextprotocol/server').catch(() => {
    throw new CommandFailure(MISSING);
  });
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { 'max-calls': maxCalls = '10', 'trusted-documents': file } = options;
  if (!/^[1-9]\d*$/.test(maxCalls)) throw new UsageError('--max-calls takes a whole number from 1');
  const omitted = options.omit?.split(',').map((name) => name.trim()) ?? [];
  if (!options['include-declaration-lines']) omitted.push('DeclarationLine');
  const schema = createVisibleSchema(omitted);
  const tools = createTools(schema, (...operation) => run(...operation), fromJsonSchema, file);
  const embedded = options.embedded ? await startEmbedded() : undefined;
  const env = embedded?.env ?? context.env;
  const url = readGatewayUrl(embedded ? undefined : options.url, env);
  const headers = { 'x-max-calls': maxCalls };
  const gateway = await openGateway(url, { isQuiet: true, headers, ...WAITING }, { ...context, env });
  const run = createRun(gateway);
  const instructions = `${embedded ? 'The data is made up, and ends in June 2025. ' : ''}Reads debtors and what they owe, deleted payments and deleted credit cases through a GraphQL gateway. Begin with \`examples\`. Nearly every field needs an administration: \`viewer\` lists them; otherwise ask the user for its id. A query may take ${maxCalls} REST calls. Amounts are decimal text, times are in UTC. The settings of the user leave out: ${omitted.join(', ') || 'nothing'}.`;

  /** Runs a tool and logs a line about it, without values. */
  async function call(tool: Tool, args: ToolArguments, stop: AbortSignal) {
    const startedAt = performance.now();
    const outcome = await tool.call(args, stop).catch((error: unknown): Outcome => {
      return { isError: true, errors: stop.aborted ? [] : describeErrors(error, gateway.redact) };
    });
    const { isError = false, ...result } = outcome;
    const state = stop.aborted ? 'cancelled' : isError ? 'failed' : 'done';
    const duration = Math.round(performance.now() - startedAt);
    gateway.notes.say(`${tool.name}: ${state}, ${outcome.restCalls ?? 0} REST calls, ${duration} ms`);
    // Older clients show only the text.
    const content = [{ type: 'text' as const, text: JSON.stringify(result) }];
    return { content, structuredContent: result, isError };
  }

  function createServer() {
    const server = new McpServer({ name: 'receivables-graphql', version }, { instructions });
    for (const tool of tools)
      server.registerTool(tool.name, tool, (args, { mcpReq }) => call(tool, args, mcpReq.signal));
    return server;
  }

  const transport = new StdioServerTransport(context.stdin, context.stdout);
  gateway.signal.addEventListener('abort', serveStdio(createServer, { transport }).close);
  const { onclose } = transport;
  await new Promise<void>((resolve) => {
    transport.onclose = () => resolve(onclose?.());
  });
  await Promise.all([gateway.close(), embedded?.stop()]);
  return 0;
};

/** Starts a gateway over made-up data. */
async function startEmbedded() {
  const { serve } = await import('../../server/serve.ts');
  const { readConfig } = await import('../../config/index.ts');
  const { demoCredentials } = await import('../../demo/applications.ts');
  const { address, stop } = await serve(readConfig({ PORT: '0', LOG: 'off' }, []));
  const url = `http://127.0.0.1:${address.port}/graphql`;
  return { env: { RECEIVABLES_URL: url, RECEIVABLES_TOKEN: demoCredentials.tokens.companyA }, stop };
}
