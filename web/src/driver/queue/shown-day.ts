import type { DriverAct, DriverAppShift, DriverDay } from '@roadshow/contract/live/driver-app'
import type { QueueItem } from './items.ts'

const TOLERATED_MS = 2 * 60_000

/** The phone's time set right by the server's clock, in the way the server does it with what the phone sends. */
export const trueTime = (at: number, clockOffsetMs: number): number =>
  Math.abs(clockOffsetMs) < TOLERATED_MS ? at : at + clockOffsetMs

const earliest = (a: string | null, b: string) => (a !== null && Date.parse(a) <= Date.parse(b) ? a : b)
const latest = (a: string | null, b: string) => (a !== null && Date.parse(a) >= Date.parse(b) ? a : b)

function withTimeAnswer(shift: DriverAppShift, act: Extract<DriverAct, { kind: 'timeAnswer' }>): DriverAppShift {
  const timeQuestions = shift.timeQuestions?.filter(({ kind }) => kind !== act.time) ?? []
  if (!act.isCorrected) return { ...shift, timeQuestions }
  return act.time === 'start'
    ? { ...shift, timeQuestions, startedAt: act.seenAt, startSetBy: 'driver' }
    : { ...shift, timeQuestions, stoppedAt: act.seenAt, stopSetBy: 'driver' }
}

/** A shift as it will be once an act has arrived. */
function withAct(shift: DriverAppShift, act: DriverAct, at: string, driver: string): DriverAppShift {
  const uid = act.actId
  switch (act.kind) {
    case 'start': {
      const startedAt = earliest(shift.startedAt, at)
      return { ...shift, startedAt, status: 'out', ...(startedAt === at && { startSetBy: 'driver' }) }
    }
    case 'stop': {
      const stoppedAt = latest(shift.stoppedAt, at)
      return { ...shift, stoppedAt, status: 'completed', ...(stoppedAt === at && { stopSetBy: 'driver' }) }
    }
    case 'answer':
      return { ...shift, answer: { answer: act.answer, reason: act.reason ?? '', at } }
    case 'message':
      return { ...shift, messages: [...shift.messages, { uid, text: act.text, at, isOwn: true, by: driver }] }
    case 'otherTruck':
      return { ...shift, askedTruck: act.truckNumber }
    case 'issue': {
      const issue = { uid, kind: act.issueKind, text: act.text ?? '', status: 'open' as const, openedAt: at }
      return { ...shift, issues: [...shift.issues, issue] }
    }
    case 'inspection': {
      const defects = act.items.filter(({ result }) => result === 'defect').length
      return { ...shift, inspection: { uid, at, defects } }
    }
    case 'timeAnswer':
      return withTimeAnswer(shift, act)
  }
}

/** The day as the driver sees it: as the server had it last, with what the driver has done since. */
export function shownDay(day: DriverDay, queue: readonly QueueItem[], clockOffsetMs: number): DriverDay {
  const done = queue
    .filter((item) => item.kind === 'act' && (item.state === 'waiting' || item.state === 'sent'))
    .toSorted((a, b) => a.addedAt - b.addedAt)
    .flatMap((item) => (item.kind === 'act' ? [item.act] : []))
  const shifts = day.shifts.map((shift) =>
    done
      .filter(({ shiftUid }) => shiftUid === shift.uid)
      .reduce((before, act) => {
        const at = new Date(trueTime(Date.parse(act.at), clockOffsetMs)).toISOString()
        return withAct(before, act, at, day.driver.name)
      }, shift),
  )
  return { ...day, shifts }
}
