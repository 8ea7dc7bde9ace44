/** As it was given: the gateway tells an operator who has set it from one who has not. */
export const GIVEN_NODE_ENV = process.env.NODE_ENV;

/** Must be imported first: graphql-js reads NODE_ENV when it is loaded, to skip checks for development. */
process.env.NODE_ENV ??= 'production';
