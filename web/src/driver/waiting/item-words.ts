import type { Language } from '@roadshow/contract/live/driver-app'
import type { Words } from '../words/index.ts'
import type { ItemProblem, QueueItem } from '../queue/items.ts'
import { waitReason } from '../queue/wait-rules.ts'
import type { WaitFacts } from '../queue/wait-rules.ts'

const problems: Record<ItemProblem, keyof Words & `problem${string}`> = {
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
  pictureRefused: 'problemPictureRefused',
}

/**
 * What happened, in a sentence of the driver's language. Where ours says little, the server's own words follow, which are
 * English.
 */
export function problemText(
  { problem, reason }: Pick<QueueItem, 'problem' | 'reason'>,
  words: Words,
  language: Language,
): string {
  const isKnown = problem !== null && problem in problems
  const text = words[isKnown ? problems[problem] : 'problemInvalid']
  const saysLittle = !isKnown || problem === 'invalid'
  return saysLittle && reason && language === 'en' ? `${text} ${reason}` : text
}

const CALL: readonly (ItemProblem | null)[] = [
  'shiftGone',
  'shiftOfAnother',
  'notStarted',
  'payLocked',
  'tooOld',
  'invalid',
]

/** Whether only dispatch can help, so that the driver is shown whom to call. */
export const needsCall = (item: QueueItem, facts: WaitFacts): boolean =>
  item.state === 'waiting' ? waitReason(item, facts) === 'right' : CALL.includes(item.problem)

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
export function stateText(item: QueueItem, facts: WaitFacts, words: Words): string {
  if (item.state === 'sent') return words.sent
  if (item.state === 'refused') return words.notSent
  if (item.state === 'noted') return words.changedNothing
  return {
    right: words.waitingForRight,
    signIn: words.waitingForSignIn,
    signal: words.waitingForSignal,
    server: words.waitingForServer,
  }[waitReason(item, facts)]
}
