const ROUTES = [
  '/graphql',
  '/graphql.csv',
  '/graphql.ndjson',
  '/health',
  '/ready',
  '/metrics',
  '/status',
  '/docs',
  '/schema.graphql',
  '/schema',
  '/graphiql',
];

/** The route of a request, as one of a few: a path that a client has made up is `other`. */
export function routeLabel({ url = '/' }: { readonly url?: string | undefined }): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  if (path === '/') return path;
  return ROUTES.find((route) => path === route || path.startsWith(`${route}/`)) ?? 'other';
}
