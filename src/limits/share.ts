/** One process's part of a limit that holds for several together. */
export function shareOf(limit: number, processes: number): number {
  return Math.max(1, Math.floor(limit / processes));
}
