/** Must be imported first: graphql-js reads NODE_ENV when it is loaded, to skip checks for development. */
process.env.NODE_ENV ??= 'production';
