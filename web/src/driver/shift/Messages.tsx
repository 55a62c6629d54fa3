import { formatMoment } from '@roadshow/contract/platform/dates'
import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { useState } from 'react'
import { List, Soft } from '../../ui/layout.tsx'
import { useApp, useAppState, useLanguage, useMay, useWords } from '../context.ts'
import { isWaiting } from '../queue/items.ts'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { useNoUpdates } from '../updates.ts'
import { stateText } from '../waiting/item-words.ts'
import styles from './shift.module.css'

/** Short texts between the driver and dispatch about one shift. */
export function Messages({ shift }: { shift: DriverAppShift }) {
  const app = useApp()
  const words = useWords()
  const language = useLanguage()
  const may = useMay()
  const state = useAppState()
  const [text, setText] = useState('')
  useNoUpdates(text !== '')
  const waiting = new Map(state.queue.filter(isWaiting).map((item) => [item.id, item]))
  const send = async () => {
    if (await app.act(shift, { kind: 'message', text: text.trim() })) setText('')
  }
  return (
    <section className={styles.part}>
      <h2>{words.messages}</h2>
      {shift.messages.length === 0 && (
        <Soft as="p" small>
          {words.messagesNone}
        </Soft>
      )}
      <List gap={2}>
        {shift.messages.map(({ uid, text: said, at, isOwn, by }) => {
          const item = waiting.get(uid)
          return (
            <li key={uid} className={`${styles.message} ${isOwn ? styles.own : ''}`}>
              {said}
              <small>
                {words.messageBy(isOwn ? words.you : by || words.dispatch, formatMoment(at, shift.zone, language))}
                {item && ` · ${stateText(item, state, words)}`}
              </small>
            </li>
          )
        })}
      </List>
      {may.act && (
        <>
          <TextArea label={words.messageText} value={text} onValue={setText} maxLength={500} rows={2} />
          <Button disabled={!text.trim()} onClick={() => void send()}>
            {words.send}
          </Button>
        </>
      )}
    </section>
  )
}
