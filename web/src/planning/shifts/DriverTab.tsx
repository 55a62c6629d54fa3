import { shiftDrivers } from '@roadshow/contract/live/shift-driver'
import type { ShiftDriver } from '@roadshow/contract/live/shift-driver'
import { blocksTruck, shifts } from '@roadshow/contract/planning/shifts'
import type { Shift } from '@roadshow/contract/planning/shifts'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useCall } from '../../api/useCall.ts'
import { useSave, useSaveOnce } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { List, Row, Soft } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatMoment } from '@roadshow/contract/platform/dates'
import { shiftInputOf } from './shiftInput.ts'
import styles from './shiftTabs.module.css'

const SENT_LATER = 'sent later'

function answerText({ answer }: ShiftDriver, zone: string): string {
  if (!answer) return 'No answer yet.'
  const word = answer.answer === 'confirmed' ? 'Confirmed' : 'Declined'
  const reason = answer.reason ? `: “${answer.reason}”` : ''
  const later = answer.isSentLater ? `, ${SENT_LATER}` : ''
  const said = `${word} ${formatMoment(answer.at, zone)}${later}${reason}`
  return answer.isOutdated ? `No answer since the shift changed. Before: ${said}` : said
}

function phoneText({ phoneSeenAt, sentLater }: ShiftDriver, zone: string): string {
  const seen = phoneSeenAt ? `Phone last online ${formatMoment(phoneSeenAt, zone)}.` : 'The phone app was never opened.'
  return sentLater > 0 ? `${seen} ${sentLater} of the reports on this shift were ${SENT_LATER}.` : seen
}

interface DriverTabProps {
  shift: Shift
  /** The shift was saved with another truck; the form beside may have edits. */
  onPlanned: () => Promise<void>
}

/** What the driver of a shift answers, writes and asks for, with a reply. */
export function DriverTab({ shift, onPlanned }: DriverTabProps) {
  const found = useCall(shiftDrivers.get, { params: { uid: shift.uid } })
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  const { messages, truckRequest } = found.data
  return (
    <>
      <p>{answerText(found.data, shift.zone)}</p>
      <p>
        <Soft>{phoneText(found.data, shift.zone)}</Soft>
      </p>
      {truckRequest && <TruckRequest shift={shift} request={truckRequest} onPlanned={onPlanned} />}
      {messages.length > 0 && (
        <List gap={2} above={3} below={3} className={styles.messages} aria-label="Messages on this shift">
          {messages.map(({ uid, by, at, text, isOfDriver, isSentLater }) => (
            <li key={uid} data-driver={isOfDriver}>
              <Soft>
                {by}, {formatMoment(at, shift.zone)}
                {isSentLater && `, ${SENT_LATER}`}
              </Soft>
              <span className={styles.text}>{text}</span>
            </li>
          ))}
        </List>
      )}
      <Reply shift={shift} />
    </>
  )
}

interface TruckRequestProps extends DriverTabProps {
  request: NonNullable<ShiftDriver['truckRequest']>
}

/** “Asked for truck T-9”: plans the shift onto it, or leaves it as it is. */
function TruckRequest({ shift, request, onPlanned }: TruckRequestProps) {
  const update = useSave(shifts.update)
  const dismiss = useSave(shiftDrivers.dismissTruckRequest)
  const notice = useNotice()
  const mayPlan = useMay(shifts.update)
  const { uid, version } = shift
  const { truck } = request
  async function plan(truckUid: string) {
    await update.mutateAsync({ body: { ...shiftInputOf(shift), truckUid, uid, version } })
    notice(`Shift planned for truck ${truck?.name ?? ''}.`)
    await onPlanned()
  }
  const leave = () => dismiss.mutateAsync({ params: { uid }, body: { requestUid: request.uid } })
  const error = update.error ?? dismiss.error
  return (
    <Alert
      type="warning"
      title={`Asked for truck ${request.number}, ${formatMoment(request.at, shift.zone)}`}
      description={
        <>
          {request.text && <p>“{request.text}”</p>}
          {!truck && <p>No truck has this number.</p>}
          {error && <p role="alert">{errorMessage(error)}</p>}
          {mayPlan && (
            <Row gap={2} wrap>
              {truck && blocksTruck(shift.status) && (
                <Button type="primary" loading={update.isPending} onClick={() => void plan(truck.uid).catch(() => {})}>
                  Plan onto {truck.name}
                </Button>
              )}
              <Button loading={dismiss.isPending} onClick={() => void leave().catch(() => {})}>
                Dismiss request
              </Button>
            </Row>
          )}
        </>
      }
    />
  )
}

function Reply({ shift }: { shift: Shift }) {
  const write = useSaveOnce(shiftDrivers.write)
  const mayWrite = useMay(shiftDrivers.write)
  const [text, setText] = useState('')
  if (!mayWrite) return null
  async function send() {
    await write.mutateAsync({ params: { uid: shift.uid }, body: { text: text.trim() } })
    // Text that was typed while this message was sent belongs to the next one.
    setText((now) => (now === text ? '' : now))
  }
  return (
    <Row gap={2} align="start" wrap above={3} className={styles.reply}>
      <Input.TextArea
        aria-label="Message to the driver"
        placeholder="Message to the driver"
        maxLength={500}
        autoSize={{ minRows: 1, maxRows: 4 }}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button disabled={text.trim() === ''} loading={write.isPending} onClick={() => void send().catch(() => {})}>
        Send message
      </Button>
      {write.error && <p role="alert">{errorMessage(write.error)}</p>}
    </Row>
  )
}
