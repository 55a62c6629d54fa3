import { formatMoment } from '@roadshow/contract/platform/dates'
import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { useState } from 'react'
import { Row, Soft } from '../../ui/layout.tsx'
import { useApp, useDay, useLanguage, useMay, useNow, useWords } from '../context.ts'
import { navigate } from '../router.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { nextAct } from '../shift-rules.ts'
import styles from './shift.module.css'

/** Asks before something that dispatch and pay go by. */
function AskedButton({ kind, shift, look }: { kind: 'start' | 'stop'; shift: DriverAppShift; look?: 'primary' }) {
  const app = useApp()
  const words = useWords()
  const [isAsked, setAsked] = useState(false)
  const isStop = kind === 'stop'
  const [name, title, text] = isStop
    ? [words.stopShift, words.stopShiftTitle, words.stopShiftText(shift.truck.number)]
    : [words.startWithoutInspection, words.startShiftTitle, words.startShiftText]
  const act = async () => {
    setAsked(false)
    // What the shift came to is on the first page.
    if ((await app.act(shift, { kind })) && isStop) navigate('/')
  }
  return (
    <>
      <Button {...(look && { look })} onClick={() => setAsked(true)}>
        {name}
      </Button>
      {isAsked && (
        <Dialog title={title} onClose={() => setAsked(false)}>
          <p>{text}</p>
          <Button look="primary" onClick={() => void act()}>
            {name}
          </Button>
          <Button onClick={() => setAsked(false)}>{isStop ? words.keepDriving : words.cancel}</Button>
        </Dialog>
      )}
    </>
  )
}

/** The one amber button that is always the next act, and beside it what may be done instead. */
export function NextActButton({ shift }: { shift: DriverAppShift }) {
  const app = useApp()
  const words = useWords()
  const language = useLanguage()
  const now = useNow()
  const may = useMay()
  const next = nextAct(shift, now, useDay()?.inspectionItems.length !== 0)
  if (next === 'none') return null
  const photo = (look: 'primary' | 'plain') =>
    may.photos && (
      <ButtonLink look={look} to="/photos">
        {words.takePhoto}
      </ButtonLink>
    )
  if (!may.act) return next === 'photo' || next === 'stop' ? photo('primary') : null
  if (next === 'wait')
    return (
      <Soft as="p" small>
        {words.opensAt(formatMoment(shift.opensAt, shift.zone, language))}
      </Soft>
    )
  if (next === 'inspect')
    return (
      <>
        <ButtonLink look="primary" to={`/shifts/${shift.uid}/inspection`}>
          {words.startInspection}
        </ButtonLink>
        <AskedButton kind="start" shift={shift} />
      </>
    )
  if (next === 'start')
    return (
      <Button look="primary" onClick={() => void app.act(shift, { kind: 'start' })}>
        {words.startShift}
      </Button>
    )
  return (
    <Row gap={2} wrap className={styles.pair}>
      {next === 'photo' && may.photos ? (
        <>
          {photo('primary')}
          <AskedButton kind="stop" shift={shift} />
        </>
      ) : (
        <>
          <AskedButton kind="stop" shift={shift} look="primary" />
          {photo('plain')}
        </>
      )}
    </Row>
  )
}
