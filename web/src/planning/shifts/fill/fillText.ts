import type { FillRelief, FillRule, UnplacedShifts } from '@roadshow/contract/planning/fill'
import { countOf } from '@roadshow/contract/platform/figures'

/** What a person allows by relaxing a rule. */
export const relaxLabel: Record<FillRule, string> = {
  weekHours: 'Overtime: more hours a week than Settings allow',
  rest: 'Short rest between two shifts',
  travel: 'Too little time to travel between markets',
  artwork: 'Trucks whose screens the artwork doesn’t fit',
  declined: 'Drivers who declined a shift at these hours',
  phone: 'Drivers who can’t see shifts on their phone',
}

const reliefText: Record<FillRelief, string> = {
  weekHours: 'if drivers may work overtime',
  rest: 'with shorter rest between shifts',
  travel: 'with less time for travel between markets',
  artwork: 'on trucks that the artwork doesn’t fit',
  declined: 'with drivers who declined these hours',
  phone: 'with drivers who can’t see shifts on their phone',
  moreTrucks: 'with more trucks',
  moreDrivers: 'with more drivers',
}

const truckText: Record<keyof UnplacedShifts['trucks'], string> = {
  inShop: 'in the shop',
  printed: 'without screens',
  booked: 'booked',
  travel: 'too far away',
  artwork: 'without fitting screens',
  proposed: 'in this proposal',
  free: 'free',
}

const driverText: Record<keyof UnplacedShifts['drivers'], string> = {
  off: 'off',
  booked: 'booked',
  declined: 'declined these hours',
  phone: 'can’t see shifts on their phone',
  rest: 'without enough rest',
  travel: 'too far away',
  weekHours: 'at their weekly hours',
  proposed: 'in this proposal',
  free: 'free',
}

const listOf = (counts: Partial<Record<string, number>>, words: Record<string, string>): string => {
  const parts = Object.entries(words).flatMap(([name, text]) => (counts[name] ? [`${counts[name]} ${text}`] : []))
  return parts.length > 0 ? parts.join(', ') : 'none'
}

const NO_SINGLE = 'No single change is enough: both more trucks and more drivers are needed.'
const NO_TIME = 'There was no time to find out what would help.'

/** Why shifts of a day could not be placed, in sentences. */
export function reasonsOf({ refusal, trucks, drivers, relief, missing }: UnplacedShifts): string[] {
  if (refusal !== null) return [refusal]
  const helps = (relief ?? []).map(
    ({ by, places }) => `${places === missing ? 'All' : places} could be placed ${reliefText[by]}.`,
  )
  return [
    `Trucks: ${listOf(trucks, truckText)}.`,
    `Drivers: ${listOf(drivers, driverText)}.`,
    ...(helps.length > 0 ? helps : [relief ? NO_SINGLE : NO_TIME]),
  ]
}

/** The rules that would help, with the number of shifts that relaxing each of them places. */
export function reliefTotals(unplaced: readonly UnplacedShifts[]): [FillRelief, number][] {
  const totals = new Map<FillRelief, number>()
  for (const { relief } of unplaced)
    for (const { by, places } of relief ?? []) totals.set(by, (totals.get(by) ?? 0) + places)
  return [...totals]
}

export const isRule = (relief: FillRelief): relief is FillRule => relief in relaxLabel

export const stepText = {
  placing: 'Looking for trucks and drivers…',
  improving: 'Making hours fair and trips short…',
  explaining: 'Finding out what could not be placed…',
}

export const movesText = (truckMoves: number, driverMoves: number): string =>
  `Market changes: ${countOf(truckMoves, 'truck')}, ${countOf(driverMoves, 'driver')}.`
