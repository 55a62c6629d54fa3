import type { LiveTruck } from '@roadshow/contract/live/fleet'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { fetchFleet, onAccessChanged, onConnected, onFleetUpdate, onTrucksLeft } from '../../api/socket.ts'

const ASK_AGAIN_MS = 5_000
// A message that was lost on the way is made up for.
const ASK_ANEW_MS = 5 * 60_000

const byNumber = new Intl.Collator('en-US', { numeric: true }).compare

/** Whether the known state is newer than the message: messages can overtake each other. */
const isNewer = (known: LiveTruck, { positionAt }: LiveTruck) =>
  known.positionAt !== null && (positionAt === null || Date.parse(known.positionAt) > Date.parse(positionAt))

/** The newest of every truck. Whatever arrives between two frames is shown with the next one. */
export class LiveFleetStore {
  private readonly byUid = new Map<string, LiveTruck>()
  private readonly listeners = new Set<() => void>()
  private shown: readonly LiveTruck[] | undefined
  private frame: number | undefined

  /** All trucks in the order of their numbers; nothing before they were first told. */
  readonly trucks = (): readonly LiveTruck[] | undefined => this.shown

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** Every truck there is. */
  replace(trucks: readonly LiveTruck[]): void {
    const known = new Map(this.byUid)
    this.byUid.clear()
    for (const truck of trucks) {
      const before = known.get(truck.uid)
      this.byUid.set(truck.uid, before && isNewer(before, truck) ? before : truck)
    }
    this.shown ??= []
    this.showSoon()
  }

  /** The trucks that changed. */
  update(trucks: readonly LiveTruck[]): void {
    for (const truck of trucks) {
      const before = this.byUid.get(truck.uid)
      if (!before || !isNewer(before, truck)) this.byUid.set(truck.uid, truck)
    }
    // Until all trucks have arrived, a part of them is not the fleet.
    if (this.shown) this.showSoon()
  }

  /** Trucks that the user no longer sees. */
  remove(truckUids: readonly string[]): void {
    for (const uid of truckUids) this.byUid.delete(uid)
    if (this.shown) this.showSoon()
  }

  /** All trucks, until they are told again. */
  clear(): void {
    this.byUid.clear()
    if (this.shown) this.showSoon()
  }

  private showSoon(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined
      // Sorting thousands of numbers takes a while, and the order seldom changes.
      const order = this.shown?.map(({ uid }) => uid) ?? []
      const isSame = order.length === this.byUid.size && order.every((uid) => this.byUid.has(uid))
      this.shown = isSame
        ? order.flatMap((uid) => this.byUid.get(uid) ?? [])
        : [...this.byUid.values()].toSorted((one, other) => byNumber(one.number, other.number))
      this.listeners.forEach((listen) => listen())
    })
  }
}

/** The fleet as it moves, asked for whenever the channel opens. */
export function useLiveFleet(): readonly LiveTruck[] | undefined {
  const [fleet] = useState(() => new LiveFleetStore())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let asked = 0
    const ask = async () => {
      clearTimeout(timer)
      const mine = ++asked
      const trucks = await fetchFleet().catch(() => undefined)
      if (mine !== asked) return
      if (trucks) fleet.replace(trucks)
      timer = setTimeout(() => void ask(), trucks ? ASK_ANEW_MS : ASK_AGAIN_MS)
    }
    const stops = [
      onConnected(() => void ask()),
      onFleetUpdate((trucks) => fleet.update(trucks)),
      onTrucksLeft((truckUids) => fleet.remove(truckUids)),
      onAccessChanged(() => {
        fleet.clear()
        void ask()
      }),
    ]
    void ask()
    return () => {
      asked += 1
      clearTimeout(timer)
      stops.forEach((stop) => stop())
    }
  }, [fleet])
  return useSyncExternalStore(fleet.subscribe, fleet.trucks)
}
