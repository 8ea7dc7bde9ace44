import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express, { type Express } from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import type { Gateway } from '../../src/index.ts';

export interface Mounted {
  readonly port: number;
  close(): Promise<void>;
}

export interface Mount {
  readonly name: string;
  /** Other than the default. */
  readonly graphqlEndpoint?: string;
  /** Whether the framework reads bodies itself, and so refuses large ones in its own words. */
  readonly parsesBodies?: boolean;
  readonly start: (gateway: Gateway) => Promise<Mounted>;
}

export const MOUNTS: readonly Mount[] = [
  { name: 'node:http', start: startNode },
  { name: 'Fastify', parsesBodies: true, start: startFastify },
  { name: 'Express', start: (gateway) => startExpress(express(), gateway) },
  {
    name: 'Express with bodies parsed before',
    parsesBodies: true,
    start: (gateway) => startExpress(express().use(express.json({ limit: '1mb' })), gateway),
  },
  { name: 'Hono', graphqlEndpoint: '/api/graphql', start: startHono },
];

export function startNode(gateway: Gateway): Promise<Mounted> {
  return listening(createServer(gateway));
}

async function startFastify(gateway: Gateway): Promise<Mounted> {
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
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: portOf(app.server), close: () => app.close() };
}

function startExpress(app: Express, gateway: Gateway): Promise<Mounted> {
  return listening(createServer(app.use(gateway.graphqlEndpoint, gateway)));
}

function startHono(gateway: Gateway): Promise<Mounted> {
  const app = new Hono().all(gateway.graphqlEndpoint, (context) => gateway.fetch(context.req.raw));
  return listening(createServer(getRequestListener(app.fetch)));
}

function listening(server: Server): Promise<Mounted> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ port: portOf(server), close: () => closing(server) }));
  });
}

function closing(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server listens on no port.');
  return address.port;
}
