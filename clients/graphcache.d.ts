import type { KeyingConfig, ResolverConfig } from '@urql/exchange-graphcache';

/**
 * For `cacheExchange({ keys, resolvers })`: configures types without an id, and merges the pages of lists.
 */
export declare const keys: KeyingConfig;
export declare const resolvers: ResolverConfig;
