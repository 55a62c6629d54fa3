import type { AppState } from '../app-state.ts'
import { isWaiting, needsLook } from '../queue/items.ts'
import { waitReason } from '../queue/wait-rules.ts'
import type { WaitFacts, WaitReason } from '../queue/wait-rules.ts'
import type { Words } from '../words/index.ts'

type CountWords = { [Name in keyof Words]: Words[Name] extends (count: number) => string ? Name : never }[keyof Words]

const lines = {
  right: ['photosNotAllowed', 'itemsNotAllowed'],
  signIn: ['photosForSignIn', 'itemsForSignIn'],
  signal: ['photosWaiting', 'itemsWaiting'],
  server: ['photosForServer', 'itemsForServer'],
} as const satisfies Record<WaitReason, readonly [CountWords, CountWords]>
const REASONS = ['right', 'signIn', 'signal', 'server'] as const satisfies readonly WaitReason[]

type QueueFacts = WaitFacts & Pick<AppState, 'queue' | 'isSending'>

/** What waits on this phone, one line for each reason; what the account may not send stands first. */
export function waitingLines({ queue, isSending, ...facts }: QueueFacts, words: Words): string[] {
  const waiting = queue.filter(isWaiting).map((item) => ({ item, reason: waitReason(item, facts) }))
  return REASONS.flatMap((reason) => {
    const alike = waiting.filter((each) => each.reason === reason)
    if (alike.length === 0) return []
    const isMoving = isSending && facts.isOnline && reason !== 'right'
    const [ofPhotos, ofItems] = isMoving ? (['photosSending', 'itemsSending'] as const) : lines[reason]
    return [words[alike.every(({ item }) => item.kind === 'photo') ? ofPhotos : ofItems](alike.length)]
  })
}

/** What the line above the button says; undefined if there is nothing to say. */
export function queueLine(facts: QueueFacts, words: Words): { text: string; needsLook: boolean } | undefined {
  const looks = facts.queue.filter(needsLook).length
  if (looks > 0) return { text: words.itemsNeedLook(looks), needsLook: true }
  const [text] = waitingLines(facts, words)
  if (text === undefined) return undefined
  return { text, needsLook: facts.queue.some((item) => isWaiting(item) && waitReason(item, facts) === 'right') }
}
