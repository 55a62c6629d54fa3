import type { ActProblem } from '@roadshow/contract/live/driver-app'
import type { AppState } from '../app-state.ts'
import type { Words } from '../words/index.ts'
import type { QueueItem } from '../queue/items.ts'

const problems: Record<ActProblem, keyof Words & `problem${string}`> = {
  shiftGone: 'problemShiftGone',
  shiftOfAnother: 'problemShiftOfAnother',
  shiftCancelled: 'problemShiftCanceled',
  shiftMoved: 'problemShiftMoved',
  tooEarly: 'problemTooEarly',
  tooFarAway: 'problemTooFarAway',
  notStarted: 'problemNotStarted',
  timesCorrected: 'problemTimesCorrected',
  payLocked: 'problemPayLocked',
  tooOld: 'problemTooOld',
  future: 'problemFuture',
  fileMissing: 'problemFileMissing',
  itemMissing: 'problemItemMissing',
  idUsed: 'problemIdUsed',
  invalid: 'problemInvalid',
}

/** What happened, in a sentence of the driver's language; the server's own words follow where ours say little. */
export function problemText({ problem, reason }: Pick<QueueItem, 'problem' | 'reason'>, words: Words): string {
  if (!problem || !(problem in problems)) return reason
  const text = words[problems[problem]]
  return problem === 'invalid' && reason ? `${text} ${reason}` : text
}

/** What an item is. */
export function itemName(item: QueueItem, words: Words): string {
  if (item.kind === 'photo') return words.actPhoto
  const { act } = item
  if (act.kind === 'answer') return act.answer === 'confirmed' ? words.actAnswerConfirmed : words.actAnswerDeclined
  const names = {
    start: words.actStart,
    stop: words.actStop,
    message: words.actMessage,
    otherTruck: words.actOtherTruck,
    issue: words.actIssue,
    inspection: words.actInspection,
    timeAnswer: words.actTimeAnswer,
  }
  return names[act.kind]
}

/** How far an item has come. */
export function stateText(
  item: QueueItem,
  { isOnline, session }: Pick<AppState, 'isOnline' | 'session'>,
  words: Words,
) {
  if (item.state === 'sent') return words.sent
  if (item.state === 'refused') return words.notSent
  if (item.state === 'noted') return words.changedNothing
  if (!isOnline) return words.waitingForSignal
  if (item.isForbidden) return words.waitingForRight
  return session === 'ended' ? words.waitingForSignIn : words.waitingForServer
}
