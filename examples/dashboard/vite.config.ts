import { defineConfig, type Plugin } from 'vite';

const { GATEWAY_URL = 'http://localhost:4000/graphql', GATEWAY_TOKEN = '' } = process.env;
const { origin, pathname } = new URL(GATEWAY_URL);

export default defineConfig({
  // The page sends requests to its own origin, so the gateway needs no CORS.
  server: {
    proxy: {
      '/graphql': { target: origin, rewrite: (path) => path.replace('/graphql', pathname) },
    },
  },
  plugins: [prefill(), nameGateway()],
});

/** Fills in the form during development. A build never contains a token: users enter their own. */
function prefill(): Plugin {
  return {
    name: 'prefill',
    apply: 'serve',
    transformIndexHtml: () => [{ tag: 'meta', attrs: { name: 'prefill-token', content: GATEWAY_TOKEN } }],
  };
}

/** Prints which gateway the page uses, below the address of the page. */
function nameGateway(): Plugin {
  return {
    name: 'name-gateway',
    apply: 'serve',
    configureServer(server) {
      const { printUrls } = server;
      server.printUrls = () => {
        printUrls();
        server.config.logger.info(`  ➜  Gateway: ${GATEWAY_URL}`);
      };
    },
  };
}
