import { formatWeekday, formatClocks } from '@roadshow/contract/platform/dates'
import { delivery } from '@roadshow/contract/proof/delivery'
import type { CampaignIssue } from '@roadshow/contract/proof/delivery'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { ErrorState } from '../../ui/states.tsx'

type MakeUpShift = CampaignIssue['shifts'][number]

const shiftText = ({ date, start, end, truck, driver }: MakeUpShift) =>
  `${formatWeekday(date)}, ${formatClocks({ start, end })} · ${truck.name} · ${driver.name}`

/** What would make up a line, as a sentence; empty while that is not known. */
function makeUpText({ missing, shifts, accepted }: CampaignIssue): string {
  const planned = accepted ? `${accepted.by} planned ${countOf(accepted.shifts, 'shift')}. ` : ''
  if (missing === null) return planned
  if (missing === 0) return `${planned}The shifts planned for the next two weeks bring it back on pace.`
  const needed = `${planned}${countOf(missing, 'more shift')} within two weeks would bring it back on pace.`
  if (shifts.length === 0) return `${needed} No truck and driver are free for them.`
  if (shifts.length === missing) return `${needed} Trucks and drivers are free:`
  return `${needed} Trucks and drivers are free for ${shifts.length}:`
}

/** The shifts that would make up a line that is behind, and the button that plans them. */
export function MakeUpShifts({ issue, program }: { issue: CampaignIssue; program: string }) {
  const { uid, shifts } = issue
  const may = useMay(delivery.planShifts)
  const save = useSave(delivery.planShifts)
  const notice = useNotice()
  const [isAsking, ask] = useState(false)
  const refused = save.error instanceof ApiError ? (save.error.fields ?? {}) : {}
  const act = `Plan ${countOf(shifts.length, 'shift')}`
  const plan = () =>
    save.mutate(
      { body: { uid, keys: shifts.map(({ key }) => key) } },
      {
        onSuccess: ({ data }) => notice(`${countOf(data.uids.length, 'shift')} planned for ${program}.`),
        onSettled: () => ask(false),
      },
    )
  return (
    <Stack gap={2} align="start">
      <p>{makeUpText(issue)}</p>
      {shifts.length > 0 && (
        <List gap={1}>
          {shifts.map((shift) => (
            <li key={shift.key}>
              {shiftText(shift)}
              {refused[shift.key] && (
                <Soft as="div" tone="bad">
                  {refused[shift.key]}
                </Soft>
              )}
            </li>
          ))}
        </List>
      )}
      {save.isError && <ErrorState error={save.error} onRetry={plan} />}
      {may && shifts.length > 0 && (
        <Button type="primary" onClick={() => ask(true)}>
          {act}
        </Button>
      )}
      <Modal
        open={isAsking}
        title={`${act} for ${program}?`}
        okText={act}
        confirmLoading={save.isPending}
        cancelText="Cancel"
        onOk={plan}
        onCancel={() => ask(false)}
        width={416}
        centered
        destroyOnHidden
      >
        The trucks and drivers are booked for these hours. Their drivers are notified.
      </Modal>
    </Stack>
  )
}
