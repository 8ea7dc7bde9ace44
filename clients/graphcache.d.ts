import type { KeyingConfig, ResolverConfig } from '@urql/exchange-graphcache';

/** For `cacheExchange({ keys, resolvers })`: types without an id, and lists whose pages become one. */
export declare const keys: KeyingConfig;
export declare const resolvers: ResolverConfig;
