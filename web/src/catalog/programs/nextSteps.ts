import { addresses } from '@roadshow/contract/catalog/addresses'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { programs } from '@roadshow/contract/catalog/programs'
import type { NextStep } from '../../ui/record/records.ts'
import { NEW_RECORD } from '../../ui/useListState.ts'

// Where a program goes on: each place starts with the program filled in.

export const newArtwork = (program: string): NextStep => ({
  label: 'Add artwork',
  needs: artworkSets.create,
  to: '/artworks',
  search: { program, open: NEW_RECORD },
})

export const newAddressSet = (program: string): NextStep => ({
  label: 'Add SD addresses',
  needs: addresses.create,
  to: '/gps-addresses',
  search: { program, open: NEW_RECORD },
})

/** The schedule of a program, from its first day if that is known, with an empty shift open. */
export const planShifts = (program: string, startsOn?: string): NextStep => ({
  label: 'Plan shifts',
  // Planners of programs are those who change them; the schedule decides again.
  needs: programs.update,
  to: '/schedule/program-schedule',
  search: { program, open: NEW_RECORD, date: startsOn, onDay: startsOn },
})
