/** How many cases a random search tries: some in every run, and many more in `npm run test:long`. */
export function casesOf({ short, long }: { readonly short: number; readonly long: number }): number {
  return process.env.SEARCH === 'long' ? long : short;
}
