import { type Language, PUSH_TEST } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { enqueuePush } from './enqueue.ts'
import { pushWords } from './words.ts'

export const TEST_EVERY_MS = 10_000

interface TestPush {
  userUid: string
  /** One browser only. */
  browserUid?: string
  language: Language
  brandName: string
}

/** Keeps a notification for a user's own browsers. Answers the uids of the messages: none within ten seconds of the last. */
export const enqueueTest = (db: Db, { language, brandName, ...to }: TestPush): Promise<string[]> =>
  enqueuePush(db, {
    ...to,
    kind: PUSH_TEST,
    push: {
      title: pushWords[language].testTitle(brandName),
      body: pushWords[language].testText,
      path: '/notifications/settings',
      urgency: 'high',
      tag: 'test',
      keepSeconds: 60,
    },
    key: `push-test ${Math.floor(Date.now() / TEST_EVERY_MS)}`,
  })
