import { formatTimeOnly, formatWeekday } from '@roadshow/contract/platform/dates'
import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import type { TimeQuestion } from '@roadshow/contract/live/shift-times'
import { Row } from '../../ui/layout.tsx'
import { useApp, useLanguage, useMay, useWords } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import styles from './shift.module.css'

/** Asks about a start or stop that the truck's own data contradict. The answer waits in the queue like every act. */
export function TimeQuestions({ shift }: { shift: DriverAppShift }) {
  const app = useApp()
  const words = useWords()
  const language = useLanguage()
  const may = useMay()
  const answer = ({ kind, about, at }: TimeQuestion, isCorrected: boolean) =>
    void app.act(shift, { kind: 'timeAnswer', time: kind, about, seenAt: at, isCorrected })
  const sentences = {
    start: { wheels: words.truckDroveFrom, plays: words.truckPlayedFrom },
    stop: { wheels: words.truckDroveUntil, plays: words.truckPlayedUntil },
  }
  if (!may.act) return null
  return shift.timeQuestions?.map((question) => {
    const { kind, at, seenBy } = question
    return (
      <section key={kind} className={styles.part}>
        {/* Shifts of other days are asked about too. */}
        <p>{formatWeekday(shift.date, language)}</p>
        <h2>{sentences[kind][seenBy](shift.truck.number, formatTimeOnly(at, shift.zone, language))}</h2>
        <Row gap={2} wrap className={styles.pair}>
          <Button onClick={() => answer(question, true)}>
            {kind === 'start' ? words.correctStart : words.correctStop}
          </Button>
          <Button onClick={() => answer(question, false)}>{words.keepTime}</Button>
        </Row>
      </section>
    )
  })
}
