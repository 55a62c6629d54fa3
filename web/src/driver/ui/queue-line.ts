import type { AppState } from '../app-state.ts'
import { isWaiting, needsLook } from '../queue/items.ts'
import type { Words } from '../words/index.ts'

/** What the line above the button says; undefined if there is nothing to say. */
export function queueLine(
  { queue, isSending, isOnline }: Pick<AppState, 'queue' | 'isSending' | 'isOnline'>,
  words: Words,
): { text: string; needsLook: boolean } | undefined {
  const looks = queue.filter(needsLook).length
  if (looks > 0) return { text: words.itemsNeedLook(looks), needsLook: true }
  const waiting = queue.filter(isWaiting)
  if (waiting.length === 0) return undefined
  const arePhotos = waiting.every(({ kind }) => kind === 'photo')
  const isMoving = isSending && isOnline
  if (isMoving)
    return {
      text: arePhotos ? words.photosSending(waiting.length) : words.itemsSending(waiting.length),
      needsLook: false,
    }
  return {
    text: arePhotos ? words.photosWaiting(waiting.length) : words.itemsWaiting(waiting.length),
    needsLook: false,
  }
}
