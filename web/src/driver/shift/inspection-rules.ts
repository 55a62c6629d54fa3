import type { DriverAct } from '@roadshow/contract/live/driver-app'

type InspectionResult = (DriverAct & { kind: 'inspection' })['items'][number]['result']

/** What was said of one item of the list. */
export interface ItemAnswer {
  result: InspectionResult
  note: string
  picture?: Blob | undefined
}

/** Half an inspection, by the uid of the item. */
export type ItemAnswers = Record<string, ItemAnswer>

/** The answers with a part of one changed. Only of a defect something is said before its result. */
export const withAnswer = (answers: ItemAnswers, uid: string, part: Partial<ItemAnswer>): ItemAnswers => ({
  ...answers,
  [uid]: { result: 'defect', note: '', ...answers[uid], ...part },
})

/** How many items of the list have no answer, or a defect without a word or picture of it. */
export const itemsLeft = (items: readonly { uid: string }[], answers: ItemAnswers): number =>
  items.filter(({ uid }) => {
    const given = answers[uid]
    if (!given) return true
    return given.result === 'defect' && given.note.trim() === '' && !given.picture
  }).length

/** Answers OK for every item that has no answer. */
export const othersOk = (items: readonly { uid: string }[], answers: ItemAnswers): ItemAnswers => ({
  ...Object.fromEntries(items.map(({ uid }) => [uid, { result: 'ok' as const, note: '' }])),
  ...answers,
})

/** The inspection as it is sent: the items of the list as it is now, in its order. Only defects have notes and pictures. */
export function inspectionOf(items: readonly { uid: string }[], answers: ItemAnswers) {
  const given = items.flatMap(({ uid }) => (answers[uid] ? [{ itemUid: uid, ...answers[uid] }] : []))
  return {
    items: given.map(({ itemUid, result, note }) => ({
      itemUid,
      result,
      note: result === 'defect' ? note.trim() : '',
    })),
    pictures: given.flatMap(({ itemUid, result, picture }) =>
      result === 'defect' && picture ? [{ itemUid, blob: picture }] : [],
    ),
  }
}
