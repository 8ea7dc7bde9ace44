import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import express, { type Express } from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import type { Gateway } from '../../src/index.ts';
import { type Ends, listen } from '../support/resources.ts';

export interface Mount {
  readonly name: string;
  /** Other than the default. */
  readonly graphqlEndpoint?: string;
  /** Whether the framework reads bodies itself, and so refuses large ones in its own words. */
  readonly parsesBodies?: boolean;
  /** Returns its port. */
  readonly start: (gateway: Gateway) => Promise<number>;
}

export const MOUNTS: readonly Mount[] = [
  { name: 'node:http', start: (gateway) => startNode(gateway) },
  { name: 'Fastify', parsesBodies: true, start: startFastify },
  { name: 'Express', start: (gateway) => startExpress(express(), gateway) },
  {
    name: 'Express with bodies parsed before',
    parsesBodies: true,
    start: (gateway) => startExpress(express().use(express.json({ limit: '1mb' })), gateway),
  },
  { name: 'Hono', graphqlEndpoint: '/api/graphql', start: startHono },
];

export function startNode(gateway: Gateway, ends?: Ends): Promise<number> {
  return listen(createServer(gateway), ends);
}

async function startFastify(gateway: Gateway): Promise<number> {
  // Otherwise closing it waits for connections that a client keeps open.
  const app = fastify({ forceCloseConnections: true });
  app.route({
    url: gateway.graphqlEndpoint,
    method: ['GET', 'POST', 'OPTIONS'],
    handler(request, reply) {
      const context: object = { request, reply };
      return gateway.handleNodeRequestAndResponse(request, reply, context);
    },
  });
  onTestFinished(() => app.close());
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
}

function startExpress(app: Express, gateway: Gateway): Promise<number> {
  return listen(createServer(app.use(gateway.graphqlEndpoint, gateway)));
}

function startHono(gateway: Gateway): Promise<number> {
  const app = new Hono().all(gateway.graphqlEndpoint, (context) => gateway.fetch(context.req.raw));
  return listen(createServer(getRequestListener(app.fetch)));
}
