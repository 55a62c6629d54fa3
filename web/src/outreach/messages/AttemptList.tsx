import { attemptOutcomeLabel } from '@roadshow/contract/outreach/messages'
import type { MessageAttempt } from '@roadshow/contract/outreach/messages'
import details from '../../ui/details.module.css'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { List, Row, Soft } from '../../ui/layout.tsx'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import { formatDuration, outcomeTone } from './messageWords.ts'
import styles from './messages.module.css'

/** Every attempt to send a message: when, how long it took, and what was answered. */
export const AttemptList = ({ attempts }: { attempts: readonly MessageAttempt[] }) => (
  <>
    <h2 className={details.heading}>Attempts</h2>
    {attempts.length === 0 && (
      <p>
        <Soft>Not tried yet.</Soft>
      </p>
    )}
    <List as="ol" className={styles.attempts}>
      {attempts.map(({ at, ms, outcome, answer }) => (
        <li key={at}>
          <Row as="p" gap={3} lineGap={1} wrap className="figures">
            <StateTag tone={outcomeTone[outcome]}>{attemptOutcomeLabel[outcome]}</StateTag>
            <span>{formatMoment(at, localZone())}</span>
            <Soft>{formatDuration(ms)}</Soft>
          </Row>
          <p className={styles.answer}>{answer}</p>
        </li>
      ))}
    </List>
  </>
)
