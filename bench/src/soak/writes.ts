import { randomUUID } from 'node:crypto'
import { clients, shifts, type Truck, trucks } from '@roadshow/contract'
import type { RetryingCaller } from './caller.ts'
import type { Findings, PromisedRecord } from './findings.ts'

/** A place to plan: a running program with one of its markets, and an own driver. */
export interface SoakPlan {
  programUid: string
  marketUid: string
  driverUid: string
  /** The days that are free, soonest first. */
  days: string[]
}

/** A user who adds and changes records, and remembers the server's answer about each. */
export class SoakWriter {
  readonly #caller: RetryingCaller
  readonly #findings: Findings
  readonly #plan: SoakPlan
  readonly #trucks: Truck[] = []

  constructor(caller: RetryingCaller, findings: Findings, plan: SoakPlan) {
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

  #keep(uid: string, kept: PromisedRecord): void {
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

  async #changeTruck(): Promise<void> {
    const index = Math.floor(Math.random() * this.#trucks.length)
    const truck = this.#trucks[index]
    if (!truck) return
    const note = `noted ${randomUUID()}`
    const reply = await this.#caller.call(trucks.update, { body: inputOf(truck, note) }, randomUUID())
    if (reply.status !== 200) return this.#findings.fail(`changing a truck: ${reply.status} ${reply.text}`)
    const { data } = reply.body
    this.#trucks[index] = data
    this.#keep(data.uid, { table: 'truck', version: data.version, note, isDeleted: false })
  }

  async #removeTruck(): Promise<void> {
    // Not the newest, which shifts are planned with.
    const truck = this.#trucks.length > 2 ? this.#trucks[0] : undefined
    const kept = truck && this.#findings.records.get(truck.uid)
    if (!truck || !kept) return
    const reply = await this.#caller.call(trucks.remove, { params: { uid: truck.uid } }, randomUUID())
    // A shift is planned with it.
    if (reply.status === 409) return
    if (reply.status !== 200) return this.#findings.fail(`deleting a truck: ${reply.status} ${reply.text}`)
    this.#trucks.shift()
    this.#keep(truck.uid, { ...kept, isDeleted: true })
  }
}

const inputOf = (
  { uid, version, number, plate, vin, kind, state, homeMarket, pixelMap, geotabDeviceId }: Truck,
  note: string,
) => ({
  uid,
  version,
  number,
  plate,
  vin,
  kind,
  state,
  geotabDeviceId,
  note,
  homeMarketUid: homeMarket?.uid ?? null,
  pixelMapUid: pixelMap?.uid ?? null,
})
