import { describe, expect, test } from 'vitest'
import { approvalProblem, misfitProblem, newArtworkFiles } from './rules.ts'

const file = (uid: string) => ({ uid })
const full = { driverSideArtwork: file('d'), passengerSideArtwork: file('p'), rearArtwork: file('r') }

describe('approving artwork', () => {
  test('the files that the approver saw can be approved', () =>
    expect(approvalProblem({ ...full, filesHash: 'seen' }, 'seen')).toBeUndefined())

  test('files that changed since are refused', () =>
    expect(approvalProblem({ ...full, filesHash: 'newer' }, 'seen')).toMatchObject({ code: 'artworkChanged' }))

  test.each([
    ['driverSideArtwork', 'driverSideArtworkUid'],
    ['passengerSideArtwork', 'passengerSideArtworkUid'],
    ['rearArtwork', 'rearArtworkUid'],
  ])('a set without its %s is refused at that side', (side, field) =>
    expect(approvalProblem({ ...full, [side]: null, filesHash: null }, 'seen')).toMatchObject({
      code: 'artworkIncomplete',
      fields: { [field]: 'This side has no file yet.' },
    }),
  )
})

describe('artwork that fits no truck', () => {
  const size = (width: number, height: number) => ({ width, height }) as never
  const wide = size(400, 100)
  const set = { name: 'Launch', driverSideArtwork: wide, passengerSideArtwork: wide, rearArtwork: wide }
  const truck = (number: string, width: number, height: number) => {
    const side = { width, height }
    return { number, panels: { driverSide: side, passengerSide: side, rear: side } }
  }
  const fits = truck('T-1', 400, 100)
  const square = truck('T-2', 100, 100)
  const tiny = truck('T-3', 40, 10)
  const unknown = { number: 'T-4', panels: null }
  test.each([
    ['fits one truck', [square, fits], '', undefined],
    ['fits none', [square, tiny], '', "Launch doesn't fit the screens of any truck it is for: T-2 and T-3."],
    ['fits none, with a reason', [square, tiny], 'Shown letterboxed', undefined],
    ['fits none that is known', [square, unknown], '', "Launch doesn't fit the screens of any truck it is for: T-2."],
    ['is for trucks without pixel maps', [unknown], '', undefined],
    ['is for no truck', [], '', undefined],
  ])('%s', (_, trucks, reason, text) => {
    const problem = misfitProblem(set, trucks, reason)
    expect(problem?.message).toBe(text && `${text} Enter a reason to approve it anyway.`)
  })
})

describe('files that are new to a set', () => {
  const files = { driverSideArtworkUid: 'd', passengerSideArtworkUid: 'p', rearArtworkUid: null }

  test('all files of a new set are new', () =>
    expect(newArtworkFiles(files)).toEqual([
      { field: 'driverSideArtworkUid', uid: 'd' },
      { field: 'passengerSideArtworkUid', uid: 'p' },
    ]))

  test('a file that the side already has is not new', () =>
    expect(newArtworkFiles(files, { ...full, passengerSideArtwork: file('old') })).toEqual([
      { field: 'passengerSideArtworkUid', uid: 'p' },
    ]))

  test('a file that moves to another side is new there', () =>
    expect(newArtworkFiles({ ...files, driverSideArtworkUid: 'p' }, full)).toEqual([
      { field: 'driverSideArtworkUid', uid: 'p' },
    ]))
})
