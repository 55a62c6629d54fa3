import { localDay } from '@roadshow/contract/planning/shift-time'
import { formatWeekday, localZone } from '@roadshow/contract/platform/dates'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useLanguage, useWords } from '../context.ts'
import { Button, OutsideLink } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { meCalls } from './calls.ts'
import { MeFrame } from './MeFrame.tsx'
import { useLoaded } from './useLoaded.ts'

/** The same address for the phone's calendar app, which then keeps itself up to date. */
const subscriptionOf = (url: string) => url.replace(/^https?:/, 'webcal:')

/** The driver's shifts in the calendar of the phone. */
export default function CalendarPage() {
  const words = useWords()
  const language = useLanguage()
  const loaded = useLoaded(async () => (await call(meCalls.calendarLink, {}, { staysOnPage: true })).data, 'calendar')
  const [made, setMade] = useState<string>()
  const [isAsking, setIsAsking] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const create = async () => {
    setIsAsking(false)
    try {
      const { data } = await call(meCalls.createCalendarLink, {}, { staysOnPage: true })
      setHasFailed(false)
      setMade(subscriptionOf(data.url))
      location.assign(subscriptionOf(data.url))
    } catch {
      setHasFailed(true)
    }
  }
  return (
    <MeFrame title={words.calendar} loaded={loaded}>
      {({ since }) => (
        <>
          <p>{words.calendarText}</p>
          {since && !made && (
            <p>{words.calendarSince(formatWeekday(localDay(localZone(), Date.parse(since)), language))}</p>
          )}
          {made ? (
            <OutsideLink href={made} look="primary">
              {words.calendarOpen}
            </OutsideLink>
          ) : (
            <Button look="primary" onClick={() => (since ? setIsAsking(true) : void create())}>
              {words.calendarAdd}
            </Button>
          )}
          {hasFailed && <p role="alert">{words.couldNotLoad}</p>}
          {isAsking && (
            <Dialog title={words.calendarAgainTitle} onClose={() => setIsAsking(false)}>
              <p>{words.calendarAgainText}</p>
              <Button look="primary" onClick={() => void create()}>
                {words.calendarAgain}
              </Button>
              <Button onClick={() => setIsAsking(false)}>{words.cancel}</Button>
            </Dialog>
          )}
        </>
      )}
    </MeFrame>
  )
}
