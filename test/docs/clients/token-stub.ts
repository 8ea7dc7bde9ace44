import type { Plugin } from 'vite';

/** In development only: `/token` returns a token of the embedded service to everybody. */
export const tokenStub: Plugin = {
  name: 'token-stub',
  apply: 'serve',
  configureServer({ middlewares }) {
    middlewares.use('/token', (_request, response) => response.end('demo-token-company-a'));
  },
};
