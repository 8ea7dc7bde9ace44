export type Arguments = { readonly [name: string]: unknown };
