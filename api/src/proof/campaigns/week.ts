import { addDays, type CampaignWeek, type PopDay, type WeekFigures, workweekOf } from '@roadshow/contract'
import { sumDays } from '../pop/index.ts'

type WholeDay = Required<PopDay>

/** The days of which a week is made: those of its week and of the week before. */
export const daysOfWeek = (today: string): { from: string; to: string } => ({
  from: addDays(workweekOf(today), -7),
  to: addDays(workweekOf(today), 6),
})

const NO_FIGURES: WeekFigures = {
  metres: 0,
  plays: 0,
  verifiedPlays: 0,
  seconds: 0,
  shifts: 0,
  gaps: { shiftsWithoutGps: 0, printedShifts: 0, printedTrucks: 0, playerOfflineSeconds: 0, runningShifts: 0 },
}

function sumOf(days: readonly WholeDay[]): WeekFigures | null {
  if (days.length === 0) return null
  const { day: _, ...figures } = sumDays(days)
  return { ...NO_FIGURES, ...figures } as WeekFigures
}

/**
 * The week of a campaign up to now, beside the week before up to the same weekday. A market east of the others may be a
 * day ahead of `today`; its day counts as well.
 */
export function weekOf(days: readonly WholeDay[], today: string): CampaignWeek {
  const from = workweekOf(today)
  const thisWeek = days.filter(({ day }) => day >= from && day <= addDays(from, 6))
  const lastWeek = days.filter(({ day }) => day >= addDays(from, -7) && day <= addDays(today, -7))
  return { from, today, figures: sumOf(thisWeek) ?? NO_FIGURES, before: sumOf(lastWeek), days: thisWeek }
}
