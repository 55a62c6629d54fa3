import * as z from '../platform/zod.ts'

export const shiftStatuses = ['planned', 'out', 'completed', 'cancelled', 'noShow'] as const
export const shiftStatus = z.enum(shiftStatuses, 'Choose planned, out, completed, cancelled or noShow.')
export type ShiftStatus = z.infer<typeof shiftStatus>
export const shiftStatusLabel: Record<ShiftStatus, string> = {
  planned: 'Planned',
  out: 'Out',
  completed: 'Completed',
  cancelled: 'Canceled',
  noShow: 'No-show',
}

/** The statuses that a shift can change to. A shift that did not take place can be planned again. */
export const shiftMoves: Record<ShiftStatus, readonly ShiftStatus[]> = {
  planned: ['out', 'completed', 'cancelled', 'noShow'],
  out: ['completed', 'planned'],
  completed: ['out'],
  cancelled: ['planned'],
  noShow: ['planned'],
}
/** The moves that a driver can make with their own shifts. */
export const driverMoves: Partial<Record<ShiftStatus, readonly ShiftStatus[]>> = {
  planned: ['out'],
  out: ['completed'],
}
/** Whether a shift with this status blocks its truck and its driver for other shifts. */
export const blocksTruck = (status: ShiftStatus): boolean => status !== 'cancelled' && status !== 'noShow'
/** Whether a move to this status needs a reason. */
export const needsReason = (status: ShiftStatus): boolean => !blocksTruck(status)

export const payOptions = ['halfDay', 'eightHours', 'twelveHours'] as const
export const payOption = z.enum(payOptions, 'Choose halfDay, eightHours or twelveHours.')
export type PayOption = z.infer<typeof payOption>
export const payOptionLabel: Record<PayOption, string> = {
  halfDay: 'Half day',
  eightHours: '8-hour day',
  twelveHours: '12-hour day',
}
