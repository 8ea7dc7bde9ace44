/** The time of the service, as far as it is known: its clock may be another than ours. */
export class ServiceClock {
  #offset = 0;

  now(): number {
    return Date.now() + this.#offset;
  }

  set(now: number): void {
    this.#offset = now - Date.now();
  }
}
