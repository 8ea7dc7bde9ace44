/** The original value, which shows whether the operator set it. */
export const GIVEN_NODE_ENV = process.env.NODE_ENV;

/** Must be imported first: graphql-js reads NODE_ENV when it is loaded, to skip checks for development. */
process.env.NODE_ENV ??= 'production';
