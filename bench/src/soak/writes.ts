import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { clients, isPassing, MOST_TRIES, shifts, type Truck, trucks, waitAfterTry } from '@roadshow/contract'
import type { Caller } from './caller.ts'
import type { Findings, Kept } from './findings.ts'

/** Where somebody may plan: a program that runs, with a market of it, and a driver of their own. */
export interface Plan {
  programUid: string
  marketUid: string
  driverUid: string
  /** The days that are free, soonest first. */
  days: string[]
}

/** Somebody who adds and changes records, and remembers what they were told about each of them. */
export class Writer {
  readonly #caller: Caller
  readonly #findings: Findings
  readonly #plan: Plan
  readonly #trucks: Truck[] = []

  constructor(caller: Caller, findings: Findings, plan: Plan) {
    this.#caller = caller
    this.#findings = findings
    this.#plan = plan
  }

  write(): Promise<void> {
    const chance = Math.random()
    if (this.#trucks.length === 0 || chance < 0.25) return this.#addTruck()
    if (chance < 0.4) return this.#addClient()
    if (chance < 0.6) return this.#addShift()
    return chance < 0.95 ? this.#changeTruck() : this.#removeTruck()
  }

  #keep(uid: string, kept: Kept): void {
    this.#findings.records.set(uid, kept)
  }

  async #addTruck(): Promise<void> {
    const number = `S-${randomUUID().slice(-12)}`
    this.#findings.names.set(number, 'truck')
    const reply = await this.#caller.call(
      trucks.create,
      { body: { number, kind: 'led', state: 'active' } },
      randomUUID(),
    )
    if (reply.status !== 200) return this.#findings.fail(`adding a truck: ${reply.status} ${reply.text}`)
    const { data } = reply.body
    this.#trucks.push(data)
    this.#keep(data.uid, { table: 'truck', version: data.version, note: '', isDeleted: false })
  }

  async #addClient(): Promise<void> {
    const name = `Soaked ${randomUUID()}`
    this.#findings.names.set(name, 'client')
    const reply = await this.#caller.call(clients.create, { body: { name } }, randomUUID())
    if (reply.status !== 200) return this.#findings.fail(`adding a client: ${reply.status} ${reply.text}`)
    const { uid, version } = reply.body.data
    this.#keep(uid, { table: 'client', version, note: '', isDeleted: false })
  }

  async #addShift(): Promise<void> {
    const { days, ...plan } = this.#plan
    const [truck, date] = [this.#trucks.at(-1), days.shift()]
    if (!truck || !date) return
    const hours = { date, start: '08:00', end: '16:00' }
    const body = { ...plan, ...hours, truckUid: truck.uid, artworkSetUid: null, addressSetUid: null, payOption: null }
    const reply = await this.#caller.call(shifts.create, { body }, randomUUID())
    if (reply.status !== 200) return this.#findings.fail(`planning a shift: ${reply.status} ${reply.text}`)
    const { uid, version } = reply.body.data
    this.#keep(uid, { table: 'shift', version, note: '', isDeleted: false })
  }

  /** A change has no key: whoever is not answered looks whether it is there, as a person does, and tries again. */
  async #changeTruck(): Promise<void> {
    const index = Math.floor(Math.random() * this.#trucks.length)
    let truck = this.#trucks[index]
    const note = `noted ${randomUUID()}`
    for (let tries = 1; truck && tries <= MOST_TRIES; tries++) {
      const reply = await this.#caller.call(trucks.update, { body: inputOf(truck, note) })
      let found: Truck | undefined = reply.status === 200 ? reply.body.data : undefined
      if (!found && !isPassing(reply.status) && reply.status !== 409) {
        return this.#findings.fail(`changing a truck: ${reply.status} ${reply.text}`)
      }
      found ??= (await this.#caller.call(trucks.get, { params: { uid: truck.uid } })).body?.data
      if (!found) return this.#findings.fail(`reading a truck again after ${reply.status}`)
      if (found.note === note) {
        this.#trucks[index] = found
        return this.#keep(found.uid, { table: 'truck', version: found.version, note, isDeleted: false })
      }
      truck = found
      this.#findings.retried++
      await sleep(waitAfterTry(tries))
    }
    this.#findings.fail('changing a truck, however often it was tried')
  }

  async #removeTruck(): Promise<void> {
    // Not the newest, which shifts are planned with.
    const truck = this.#trucks.length > 2 ? this.#trucks[0] : undefined
    const kept = truck && this.#findings.records.get(truck.uid)
    if (!truck || !kept) return
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const reply = await this.#caller.call(trucks.remove, { params: { uid: truck.uid } })
      if (reply.status === 409) return
      if (reply.status === 200 || (reply.status === 404 && tries > 1)) {
        this.#trucks.shift()
        return this.#keep(truck.uid, { ...kept, isDeleted: true })
      }
      if (!isPassing(reply.status)) return this.#findings.fail(`deleting a truck: ${reply.status} ${reply.text}`)
      await sleep(waitAfterTry(tries))
    }
    this.#findings.fail('deleting a truck, however often it was tried')
  }
}

const inputOf = (
  { uid, version, number, plate, vin, kind, state, homeMarket, pixelMap, geotabDeviceId }: Truck,
  note: string,
) => ({
  ...{ uid, version, number, plate, vin, kind, state, geotabDeviceId, note },
  homeMarketUid: homeMarket?.uid ?? null,
  pixelMapUid: pixelMap?.uid ?? null,
})
