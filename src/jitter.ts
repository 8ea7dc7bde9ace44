/** So many milliseconds times a number between the two: those who begin to wait together do not go on together. */
export function jittered(milliseconds: number, least: number, most: number): number {
  return milliseconds * (least + (most - least) * Math.random());
}
