import type { deviceHealthReport } from '@roadshow/contract'
import type { z } from 'zod'

type Report = z.output<typeof deviceHealthReport>

// The limit of the column: a clock that was never set is decades away.
const MAX_OFFSET_MS = 2 ** 31 - 1

/** How far a device's clock is ahead of the server's. */
export const clockOffset = (deviceTime: string, now: number): number =>
  Math.min(MAX_OFFSET_MS, Math.max(-MAX_OFFSET_MS, Date.parse(deviceTime) - now))

export interface DatedReport {
  health: Report
  reportId: string
  /** When the device was like this, by the server's clock. */
  measuredAt: number
  clockOffsetMs: number
  /** An earlier report of the list has the same id. */
  isRepeat: boolean
}

/** Places reports in the server's time: a report is as old as the device says it was when it was sent. */
export function dateReports(reports: readonly Report[], now: number): DatedReport[] {
  const seen = new Set<string>()
  return reports.map((health) => {
    const { reportId, at, sentAt } = health
    const isRepeat = seen.has(reportId)
    seen.add(reportId)
    const ageMs = Math.max(0, Date.parse(sentAt) - Date.parse(at))
    return {
      health,
      reportId,
      measuredAt: Math.max(0, now - ageMs),
      clockOffsetMs: clockOffset(sentAt, now),
      isRepeat,
    }
  })
}

/** The newest report, whatever their order; of two equally new ones the one with the greater id. */
export const newestReport = (reports: readonly DatedReport[]): DatedReport | undefined =>
  reports.reduce<DatedReport | undefined>((best, each) => {
    if (!best || each.measuredAt > best.measuredAt) return each
    return each.measuredAt === best.measuredAt && each.reportId > best.reportId ? each : best
  }, undefined)
