import type { TypePolicies } from '@apollo/client';

/**
 * For `new InMemoryCache({ typePolicies, possibleTypes })`: configures types without an id, and merges lists.
 */
export declare const typePolicies: TypePolicies;
export declare const possibleTypes: Record<string, string[]>;
