import { formatCount } from '@roadshow/contract/platform/figures'
import type { ProgramSteps } from '@roadshow/contract/console/program-steps'
import type { UrlSearch } from '../../ui/useListState.ts'

/** One step of a program: whether it is done, what it has or lacks, and the place where it is done. */
export interface ProgramStep {
  name: string
  state: 'done' | 'missing' | 'later'
  text: string
  to: string
  search: UrlSearch
}

interface SteppedProgram {
  uid: string
  startsOn: string
}

const counted = (count: number, one: string) => `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`

function artworkStep({ uid }: SteppedProgram, { artwork }: ProgramSteps): ProgramStep {
  const step = { name: 'Artwork', to: '/artworks' }
  if (artwork.approved > 0)
    return { ...step, state: 'done', text: counted(artwork.approved, 'approved set'), search: { program: uid } }
  if (artwork.draft)
    return { ...step, state: 'missing', text: 'No approved artwork', search: { program: uid, open: artwork.draft } }
  return { ...step, state: 'missing', text: 'No artwork', search: { program: uid, open: 'new' } }
}

/** Addresses are optional: a program without them plays the same everywhere. */
const addressStep = ({ uid }: SteppedProgram, { addressSets }: ProgramSteps): ProgramStep => ({
  name: 'SD addresses',
  state: addressSets > 0 ? 'done' : 'later',
  text: addressSets > 0 ? counted(addressSets, 'set') : 'None (optional)',
  to: '/gps-addresses',
  search: { program: uid, ...(addressSets === 0 && { open: 'new' }) },
})

function scheduleStep({ uid, startsOn }: SteppedProgram, { markets }: ProgramSteps): ProgramStep {
  const name = 'Schedule'
  if (markets.length === 0)
    return { name, state: 'missing', text: 'No markets', to: '/client-programs', search: { open: uid, tab: 'Markets' } }
  const to = '/schedule/program-schedule'
  const [first, ...others] = markets.filter(({ shifts }) => shifts === 0)
  if (!first) {
    const all = markets.reduce((sum, { shifts }) => sum + shifts, 0)
    return { name, state: 'done', text: counted(all, 'shift'), to, search: { program: uid, date: startsOn } }
  }
  const places = [first, ...others].map((market) => market.name).join(', ')
  return {
    name,
    state: 'missing',
    text: `No shifts in ${places}`,
    to,
    search: { program: uid, market: first.uid, date: startsOn, onDay: startsOn, open: 'new' },
  }
}

function popStep({ uid }: SteppedProgram, { pop }: ProgramSteps): ProgramStep {
  const step = { name: 'POP', to: '/client-pop', search: { open: uid } }
  if (pop.shownVersion !== null) return { ...step, state: 'done', text: `Version ${pop.shownVersion} published` }
  return pop.hasCompletedShifts
    ? { ...step, state: 'missing', text: 'Not published' }
    : { ...step, state: 'later', text: 'After the first shift' }
}

/** The steps of a program in their order. */
export const stepsOf = (program: SteppedProgram, found: ProgramSteps): ProgramStep[] =>
  [artworkStep, addressStep, scheduleStep, popStep].map((step) => step(program, found))
