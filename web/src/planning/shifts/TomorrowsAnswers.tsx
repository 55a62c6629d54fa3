import { shiftDrivers } from '@roadshow/contract/live/shift-driver'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import { Link } from '@tanstack/react-router'
import { useList } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import { formatCount } from '@roadshow/contract/platform/figures'
import { dayLabel } from './shiftText.ts'
import styles from './shifts.module.css'

const parts = { confirmed: 'confirmed', declined: 'declined', none: 'no answer' } as const
type Answer = keyof typeof parts

/** The list of shifts of a day whose drivers gave this answer. */
const listOf = (answer: Answer, day: string) => ({ driverAnswer: answer, status: 'planned', from: day, to: day })

/** Who has answered for tomorrow: each number leads to its shifts, and is the total of their list. */
export function TomorrowsAnswers({ today }: { today: string }) {
  const maySee = useMay(shiftDrivers.get)
  return maySee && <Answers day={addDays(today, 1)} />
}

function Answers({ day }: { day: string }) {
  const count = (answer: Answer) => ({ ...listOf(answer, day), pageSize: '1' })
  const confirmed = useList(shifts.list, count('confirmed')).data?.total
  const declined = useList(shifts.list, count('declined')).data?.total
  const none = useList(shifts.list, count('none')).data?.total
  if (confirmed === undefined || declined === undefined || none === undefined) return null
  const totals = { confirmed, declined, none }
  // Without shifts, or without drivers who use the app, there is nothing to say.
  if (confirmed + declined + none === 0) return null
  return (
    <p className={styles.answers} data-print="no">
      Tomorrow’s drivers, {dayLabel(day)}:{' '}
      {(Object.keys(parts) as Answer[]).map((answer) => (
        <Link
          key={answer}
          to="/schedule/program-schedule"
          search={{ view: 'list', ...listOf(answer, day) }}
          data-needs={answer !== 'confirmed' && totals[answer] > 0}
        >
          <b className="figures">{formatCount(totals[answer])}</b> {parts[answer]}
        </Link>
      ))}
    </p>
  )
}
