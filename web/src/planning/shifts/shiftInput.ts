import type { Shift, ShiftInput } from '@roadshow/contract/planning/shifts'

/** A shift as the input that saves it again. */
export const shiftInputOf = (shift: Shift): ShiftInput => ({
  programUid: shift.program.uid,
  marketUid: shift.market.uid,
  truckUid: shift.truck.uid,
  driverUid: shift.driver?.uid ?? '',
  date: shift.date,
  start: shift.start,
  end: shift.end,
  artworkSetUid: shift.artworkSet?.uid ?? null,
  addressSetUid: shift.addressSet?.uid ?? null,
  payOption: shift.payOption,
  note: shift.note,
  stops: shift.stops,
})
