import { formatMoment, formatWeekday, localZone } from '@roadshow/contract/platform/dates'
import { useState } from 'react'
import { List, Row, Soft } from '../../ui/layout.tsx'
import { useApp, useAppState, useLanguage, useWords } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Frame } from '../ui/Frame.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { useStoredPicture } from '../ui/usePicture.ts'
import { ContactLinks, useContactsOf } from '../ui/ContactLinks.tsx'
import { itemName, needsCall, problemText, stateText } from './item-words.ts'
import type { AppState } from '../app-state.ts'
import { isWaiting, needsLook } from '../queue/items.ts'
import { waitReason } from '../queue/wait-rules.ts'
import type { QueueItem } from '../queue/items.ts'
import styles from './QueuePage.module.css'

/** Where only the server was away, a driver need not wait for the next try. */
const mayReachServer = (isOnline: boolean) => isOnline || navigator.onLine

/** What the account may not send is sent by itself as soon as it may. */
const mayBeSent = (item: QueueItem, state: AppState) => waitReason(item, state) !== 'right'

function Head({ item }: { item: QueueItem }) {
  const app = useApp()
  const words = useWords()
  const language = useLanguage()
  const state = useAppState()
  const pictureId = item.kind === 'photo' ? item.pictureId : item.pictures[0]?.pictureId
  const picture = useStoredPicture(item.state === 'sent' ? undefined : pictureId, app.picture)
  const { truckNumber, date } = item.about
  return (
    <Row gap={3} className={styles.head}>
      {picture && <img src={picture} alt="" className={styles.picture} />}
      <div>
        <p className={styles.name}>{itemName(item, words)}</p>
        <Soft as="p" small>
          {words.truck} {truckNumber}, {formatWeekday(date, language)}
        </Soft>
        <Soft as="p" small>
          {words.done(formatMoment(item.addedAt, localZone(), language))}
        </Soft>
        {item.state === 'refused' ? (
          <p className={styles.bad}>{stateText(item, state, words)}</p>
        ) : (
          <Soft as="p" small>
            {stateText(item, state, words)}
          </Soft>
        )}
      </div>
    </Row>
  )
}

function Item({ item }: { item: QueueItem }) {
  const app = useApp()
  const words = useWords()
  const language = useLanguage()
  const state = useAppState()
  const { isOnline, session } = state
  const contacts = useContactsOf(item.about)
  const [isAsked, setAsked] = useState(false)
  const isNoted = item.state === 'noted'
  const canSend =
    !isNoted && item.state !== 'sent' && mayReachServer(isOnline) && session === 'open' && mayBeSent(item, state)
  const lacksPicture = item.state === 'refused' && item.kind === 'act' && item.pictures.length > 0
  return (
    <li className={styles.item}>
      <Head item={item} />
      {needsLook(item) && <p>{problemText(item, words, language)}</p>}
      {needsCall(item, state) && <ContactLinks contacts={contacts} />}
      {canSend && <Button onClick={() => void app.retry(item)}>{words.sendNow}</Button>}
      {lacksPicture && item.kind === 'act' && (
        <Button onClick={() => void app.sendWithoutPictures(item)}>{words.sendWithoutPicture}</Button>
      )}
      {isNoted && <Button onClick={() => void app.remove(item)}>{words.understood}</Button>}
      {!isNoted && item.state !== 'sent' && (
        <Button look="quiet" onClick={() => setAsked(true)}>
          {words.remove}
        </Button>
      )}
      {isAsked && (
        <Dialog title={words.removeTitle} onClose={() => setAsked(false)}>
          <p>{words.removeText}</p>
          <Button look="bad" onClick={() => void app.remove(item)}>
            {words.remove}
          </Button>
          <Button onClick={() => setAsked(false)}>{words.cancel}</Button>
        </Dialog>
      )}
    </li>
  )
}

/** Everything that is on this phone and not yet with dispatch, with the reason and what can be done. */
export function QueuePage() {
  const app = useApp()
  const words = useWords()
  const state = useAppState()
  const { queue, isOnline } = state
  const shown = queue.filter(({ state }) => state !== 'sent').toSorted((a, b) => a.addedAt - b.addedAt)
  const canSend = mayReachServer(isOnline) && shown.some((item) => isWaiting(item) && mayBeSent(item, state))
  return (
    <Frame
      action={
        canSend && (
          <Button look="primary" onClick={() => void app.refresh()}>
            {words.sendNow}
          </Button>
        )
      }
    >
      <PageHead title={words.queue} up="/" />
      {shown.length === 0 && <p>{words.queueEmpty}</p>}
      <List gap={3}>
        {[...shown.filter(needsLook), ...shown.filter(isWaiting)].map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </List>
    </Frame>
  )
}
