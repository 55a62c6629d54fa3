/** A fault of MyGeotab, on demand. */
export interface GeotabFault {
  kind: 'expiredSession' | 'dbUnavailable' | 'overLimit' | 'html' | 'serverError' | 'slow'
  /** The number of calls that fail. */
  times: number
  /** Only calls of this method, or of this entity. */
  method?: string
  typeName?: string
  /** The delay of `slow`, or the wait that `overLimit` asks for, in seconds. */
  seconds?: number
}

/** Faults that wait for a call. */
export class GeotabFaults {
  #waiting: GeotabFault[] = []

  inject(fault: GeotabFault): void {
    this.#waiting.push({ ...fault })
  }

  /** The fault of this call, if there is one for it. */
  take(method: string, typeName: unknown): GeotabFault | undefined {
    const fault = this.#waiting.find(
      (each) => (each.method ?? method) === method && (each.typeName === undefined || each.typeName === typeName),
    )
    if (fault && --fault.times <= 0) this.#waiting = this.#waiting.filter((each) => each !== fault)
    return fault
  }
}
