import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { startFakeServer } from '../fake-server.ts';
import { startCommand, TextOutput } from '../support.ts';

export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
export const TOKEN = 'a-token-that-nobody-sees';

interface ConnectOptions {
  readonly url?: string | URL;
  readonly token?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly revision?: (typeof REVISIONS)[number];
}

/** Starts the command in this process, and connects the official client to its streams. */
export async function connect(
  args: readonly string[],
  { url = 'http://127.0.0.1:9/graphql', token = TOKEN, env, revision = '2026-07-28' }: ConnectOptions = {},
) {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  let length = 0;
  const stdout = new TextOutput((text) => {
    toClient.write(text.slice(length));
    length = text.length;
  });
  const given = env ?? { RECEIVABLES_TOKEN: token };
  const command = startCommand(
    ['mcp', ...args],
    { RECEIVABLES_URL: `${url}`, ...given },
    { stdin: toServer, stdout },
  );
  const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const leave = () => void toServer.end();
  onTestFinished(leave);
  // The framing is the same in both directions.
  await client.connect(new StdioServerTransport(toClient, toServer));
  /** Returns what a tool returns, and checks that the text says the same. */
  const call = async (name: string, given: Record<string, unknown> = {}, signal?: AbortSignal) => {
    const options = signal ? { signal } : {};
    const {
      content,
      structuredContent,
      isError = false,
    } = await client.callTool({ name, arguments: given }, options);
    const [text] = content;
    if (text?.type !== 'text' || text.text !== JSON.stringify(structuredContent))
      throw new Error(`Not the same: ${JSON.stringify(content)}`);
    return { isError, ...Object(structuredContent) };
  };
  return { ...command, client, call, leave };
}

/** Starts a gateway that answers every operation so, and knows estimates unless it is an older one. */
export async function startFakeGateway(answer: object = { data: { __typename: 'Query' } }, isOlder = false) {
  return startFakeServer((response, _request, _index, incoming) => {
    const explain = incoming.headers['x-explain'];
    const isRefused = isOlder && incoming.headers.accept === 'application/estimate+json';
    response.writeHead(isRefused ? 406 : 200, {
      'content-type': 'application/json',
      ...(explain && !isOlder && { 'x-explain': explain }),
    });
    response.end(JSON.stringify(isRefused ? { errors: [{ message: 'No.', extensions: {} }] } : answer));
  });
}
