import { formatCount } from '@roadshow/contract/platform/figures'
import { dropOfField, dropSentence } from '@roadshow/contract/live/figure-drops'
import type { RecordChange } from '@roadshow/contract/platform/history'
import { useState } from 'react'
import { useReply } from '../../api/useCall.ts'
import { EM_DASH } from '../text/dash.ts'
import { fieldName, fieldLabel, formatFieldValue } from '../text/words.ts'
import { Pager } from '../rows/Pager.tsx'
import { RowLink } from '../rows/RowLink.tsx'
import type { HistoryCall, HistoryOfAll } from './records.ts'
import { ErrorState, SkeletonLines } from '../states.tsx'
import { formatDateTime, localZone, timestamp } from '@roadshow/contract/platform/dates'
import styles from './HistoryTab.module.css'
import { List, Row, Soft } from '../layout.tsx'

type Fields = Parameters<typeof fieldLabel>[0]

const CHANGES_PER_PAGE = 50
// An import can change thousands of parts at once; people read no more than these.
const FIELDS_SHOWN = 30

type HistoryTabProps = { fields: Fields } & (
  | { history: HistoryCall; uid: string }
  | { history: HistoryOfAll; uid?: never }
)

/** Every change of a record, newest first: who, when, and what each field was and became. */
export function HistoryTab({ history, uid, fields }: HistoryTabProps) {
  const [page, setPage] = useState(1)
  const input = { params: { uid: uid ?? '' }, query: { page: String(page), pageSize: String(CHANGES_PER_PAGE) } }
  const found = useReply(history as HistoryCall, input)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  const { data: changes, total, keptSince } = found.data
  return (
    <>
      <Soft as="p" small below={3}>
        Times are in {localZone()}.
      </Soft>
      <List as="ol" className={styles.changes}>
        {changes.map((change) => (
          <li key={`${change.at} ${change.by ?? ''} ${change.action}`}>
            <HistoryLine change={change} fields={fields} />
          </li>
        ))}
      </List>
      {keptSince && page * CHANGES_PER_PAGE >= total && (
        <Soft as="p" small below={3}>
          Changes before {formatDateTime(keptSince, localZone())} are no longer kept.
        </Soft>
      )}
      <Pager page={page} perPage={CHANGES_PER_PAGE} total={total} onChange={setPage} />
    </>
  )
}

function HistoryLine({ change, fields }: { change: RecordChange; fields: Fields }) {
  const drops = change.fields.flatMap((field) => dropOfField(field, change.by) ?? [])
  const shift = drops.find((drop) => drop.shift !== null)?.shift
  const when = (
    <time className="figures" dateTime={change.at}>
      {timestamp(change.at, localZone())}
    </time>
  )
  if (drops.length === 0)
    return (
      <>
        <Row as="p" gap={1} lineGap={0} wrap below={2} className={styles.who}>
          <strong>{change.by ?? 'The system'}</strong> {change.action} it
          {when}
        </Row>
        <ChangedFields change={change} fields={fields} />
      </>
    )
  return (
    <>
      <Row as="p" gap={1} lineGap={0} wrap below={2} className={styles.who}>
        <strong>Delivered figures fell</strong>
        {when}
      </Row>
      {drops.slice(0, FIELDS_SHOWN).map((drop) => (
        <p key={`${drop.localDate} ${drop.market}`}>{dropSentence(drop)}</p>
      ))}
      {drops.length > FIELDS_SHOWN && <p>and {formatCount(drops.length - FIELDS_SHOWN)} more</p>}
      {shift && (
        <RowLink uid={shift} to="/schedule/program-schedule">
          Open shift
        </RowLink>
      )}
    </>
  )
}

/** The fields of one change in the form's order, old → new; of a creation only what was given. */
export function ChangedFields({ change, fields }: { change: RecordChange; fields: Fields }) {
  const isCreation = change.action === 'created'
  const place = (name: string) => Object.keys(fields).indexOf(fieldName(fields, name))
  const shown = change.fields
    .filter((each) => !isCreation || formatFieldValue(fields, each.field, each.new) !== EM_DASH)
    .toSorted((one, other) => place(one.field) - place(other.field))
  return (
    <dl className={styles.fields}>
      {shown.slice(0, FIELDS_SHOWN).map((each, index) => (
        // A part of a record, such as a market of a program, may have changed several times over.
        <div key={`${each.field} ${index}`}>
          <Soft as="dt">{fieldLabel(fields, each.field)}</Soft>
          <dd>
            {!isCreation && (
              <>
                <Soft as="del">{formatFieldValue(fields, each.field, each.old)}</Soft>
                <span aria-label="became"> → </span>
              </>
            )}
            <ins>{formatFieldValue(fields, each.field, each.new)}</ins>
          </dd>
        </div>
      ))}
      {shown.length > FIELDS_SHOWN && <p>and {formatCount(shown.length - FIELDS_SHOWN)} more</p>}
    </dl>
  )
}
