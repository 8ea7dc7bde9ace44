/** Varies a delay at random, so that clients that failed together do not retry together. */
export function jittered(milliseconds: number, least: number, most: number): number {
  return milliseconds * (least + (most - least) * Math.random());
}
