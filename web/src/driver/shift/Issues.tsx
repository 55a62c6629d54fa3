import { formatMoment } from '@roadshow/contract/platform/dates'
import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { List, Soft } from '../../ui/layout.tsx'
import { useLanguage, useMay, useWords } from '../context.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { issueKindText } from './issue-words.ts'
import styles from './shift.module.css'

/** What the driver reported about the truck, and how far it is. */
export function Issues({ shift }: { shift: DriverAppShift }) {
  const words = useWords()
  const language = useLanguage()
  const may = useMay()
  const status = { open: words.issueOpen, inProgress: words.issueInProgress, resolved: words.issueResolved }
  return (
    <section className={styles.part}>
      <h2>{words.issues}</h2>
      {shift.issues.length === 0 && (
        <Soft as="p" small>
          {words.issuesNone}
        </Soft>
      )}
      <List gap={2}>
        {shift.issues.map((issue) => (
          <li key={issue.uid}>
            <p>
              <strong>{issueKindText(issue.kind, words)}</strong> {issue.text}
            </p>
            <p className={issue.status === 'resolved' ? styles.good : styles.warn}>{status[issue.status]}</p>
            <Soft as="p" small>
              {formatMoment(issue.openedAt, shift.zone, language)}
            </Soft>
          </li>
        ))}
      </List>
      {may.act && <ButtonLink to={`/shifts/${shift.uid}/issue`}>{words.reportIssue}</ButtonLink>}
    </section>
  )
}
