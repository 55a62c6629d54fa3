import type { Assignment } from './assignment.ts'
import type { FillProblem, Resource } from './problem.ts'

export interface Pair {
  slot: number
  truck: Resource
  driver: Resource
}

/** Gives the trucks of each slot to its drivers; a driver keeps the truck of the shift before where possible. */
export function pairUp({ slots, trucks, drivers }: FillProblem, assignment: Assignment): Pair[] {
  const takersOf = (slot: number, resources: readonly Resource[], taken: readonly (readonly number[])[]) =>
    resources.filter((_, at) => taken[at]?.includes(slot))
  const truckOf = new Map<Resource, Resource>()
  const order = slots.map((_, slot) => slot).toSorted((a, b) => (slots[a]?.startsAt ?? 0) - (slots[b]?.startsAt ?? 0))
  return order.flatMap((slot) => {
    const free = new Set(takersOf(slot, trucks, assignment.trucks))
    const open = takersOf(slot, drivers, assignment.drivers)
    const kept = open.filter((driver) => {
      const truck = truckOf.get(driver)
      return truck !== undefined && free.delete(truck)
    })
    for (const driver of open.filter((each) => !kept.includes(each))) {
      const [truck] = free
      if (!truck) break
      free.delete(truck)
      truckOf.set(driver, truck)
    }
    return open.flatMap((driver) => {
      const truck = truckOf.get(driver)
      return truck ? [{ slot, truck, driver }] : []
    })
  })
}
