import type { TypePolicies } from '@apollo/client';

/** For `new InMemoryCache({ typePolicies, possibleTypes })`: types without an id, and lists whose pages become one. */
export declare const typePolicies: TypePolicies;
export declare const possibleTypes: Record<string, string[]>;
