import { setFlagsFromString } from 'node:v8';

/** As it was given: the gateway tells an operator who has set it from one who has not. */
export const GIVEN_NODE_ENV = process.env.NODE_ENV;

/** Must be imported first: graphql-js reads NODE_ENV when it is loaded, to skip checks for development. */
process.env.NODE_ENV ??= 'production';

// While few requests have run and young objects have little room, most of what a request makes is still in use when
// garbage is collected. V8 would conclude that literals of that code live long, and make them among the old objects for
// good: until the next full collection, each of them keeps alive what its request has made.
setFlagsFromString('--no-allocation-site-pretenuring');
