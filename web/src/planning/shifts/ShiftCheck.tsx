import { formatMinutes } from '@roadshow/contract/platform/dates'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { ShiftInput } from '@roadshow/contract/planning/shifts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Checkbox, Form } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../api/call.ts'
import { useMay } from '../../api/user.ts'
import { useSettled } from '../../ui/useSettled.ts'
import styles from './shiftTabs.module.css'

type CheckedInput = ShiftInput & { allowInactiveProgram?: boolean }

const overs = { truck: 'Truck already booked', driver: 'Driver already booked' } as const

/** Shows before saving what the server would refuse: at the fields, and clashes above them. */
export function ShiftCheck({ uid }: { uid: string | undefined }) {
  const form = Form.useFormInstance<CheckedInput>()
  const asked = useSettled(Form.useWatch((all: CheckedInput) => all, { form, preserve: true }))
  const mayAsk = useMay(shifts.clashes)

  // Stops are left out: a stop that is still being typed must not hold up the check, and its fields check themselves.
  const { allowInactiveProgram: _consent, stops: _stops, ...input }: Partial<CheckedInput> = asked ?? {}
  const body = shifts.clashes.body.safeParse({ ...input, ...(uid && { uid }) }).data
  const { data: check } = useQuery({
    queryKey: ['shift-check', body],
    queryFn: async ({ signal }) => (body ? (await call(shifts.clashes, { body }, { signal })).data : null),
    enabled: mayAsk && body !== undefined,
    gcTime: 0,
    retry: false,
  })

  const mark = useEffectEvent((problems: Record<string, string>) => {
    const marked = form.getFieldsError().filter(({ warnings }) => warnings.length > 0)
    form.setFields([
      ...marked.map(({ name }) => ({ name: name as never, warnings: [] })),
      ...Object.entries(problems).map(([name, text]) => ({ name: name as never, warnings: [text] })),
    ])
  })
  useEffect(() => mark(check?.problems ?? {}), [check])

  const clashes = check?.clashes ?? []
  const rest = check?.shortRestHours ?? null
  const late = check?.lateArrivals ?? []
  const inactive = check?.inactiveProgram ?? null
  if (!body || (clashes.length + late.length === 0 && rest === null && inactive === null)) return null
  return (
    <div role="status" className={styles.notes}>
      {clashes.length > 0 && (
        <Alert
          type="error"
          title={
            <ul>
              {clashes.map(({ uid: other, over, name }) => (
                <li key={`${over} ${other}`}>
                  {overs[over]}: {name}
                </li>
              ))}
            </ul>
          }
        />
      )}
      {rest !== null && (
        <Alert type="warning" title={`The driver has only ${formatMinutes(rest * 60)} of rest before this shift.`} />
      )}
      {late.map((text) => (
        <Alert key={text} type="warning" title={text} />
      ))}
      {inactive !== null && (
        <Alert
          type="warning"
          title={inactive}
          description={
            <Form.Item name="allowInactiveProgram" valuePropName="checked" noStyle>
              <Checkbox>Plan the shift anyway</Checkbox>
            </Form.Item>
          }
        />
      )}
    </div>
  )
}
