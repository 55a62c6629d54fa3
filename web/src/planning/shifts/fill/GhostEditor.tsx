import { Button, Form, Modal } from 'antd'
import { useList } from '../../../api/useList.ts'
import { EditForm } from '../../../ui/form/EditForm.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { useRecordForm } from '../../../ui/form/useRecordForm.ts'
import { ClockInput } from '../../../ui/form/ClockInput.tsx'
import { driverLookup, truckLookup } from '../shiftLookups.ts'
import { formatShiftTime } from '../shiftText.ts'
import { SuggestionSelect } from '../../suggestions/SuggestionSelect.tsx'
import { useSuggestions } from '../../suggestions/useSuggestions.ts'
import type { Ghost } from './ghosts.ts'
import styles from './Fill.module.css'

type ShownShift = Pick<Ghost, 'truck' | 'driver' | 'start' | 'end'>

interface GhostEditorProps {
  ghost: Ghost
  programUid: string
  onChange: (change: ShownShift) => void
  onDrop: () => void
  onClose: () => void
}

type Named = Ghost['truck']

/** Changes the truck, driver or hours of a proposed shift, or removes it from the fill proposal. */
export function GhostEditor({ ghost, programUid, onChange, onDrop, onClose }: GhostEditorProps) {
  const nameOf = (known: Named, uid: string | undefined, found: readonly Named[] | undefined): Named =>
    found?.find((each) => each.uid === uid) ?? known
  const edit = useRecordForm({
    base: ghost,
    toInput: ({ market, date, start, end, truck, driver }) => ({
      programUid,
      marketUid: market.uid,
      date,
      start,
      end,
      truckUid: truck.uid,
      driverUid: driver.uid,
    }),
    save: async ({ start, end }): Promise<ShownShift> => ({
      truck: nameOf(ghost.truck, truckUid, trucks.data?.data),
      driver: nameOf(ghost.driver, driverUid, drivers.data?.data),
      start,
      end,
    }),
    onSaved: onChange,
  })
  const truckUid = Form.useWatch('truckUid', edit.form)
  const driverUid = Form.useWatch('driverUid', edit.form)
  const trucks = useList(truckLookup.list, { uid: truckUid }, Boolean(truckUid))
  const drivers = useList(driverLookup.list, { uid: driverUid }, Boolean(driverUid))
  const isKnown = !trucks.isFetching && !drivers.isFetching
  return (
    <Modal
      open
      title={`Proposed shift: ${ghost.market.name}, ${formatShiftTime(ghost)}`}
      onCancel={onClose}
      footer={
        <Row gap={2} wrap right>
          <Button danger onClick={onDrop}>
            Remove from proposal
          </Button>
          <Button type="primary" disabled={!isKnown} onClick={() => edit.form.submit()}>
            Apply
          </Button>
        </Row>
      }
    >
      {ghost.refusal && (
        <Soft as="p" tone="bad">
          {ghost.refusal}
        </Soft>
      )}
      <EditForm edit={edit} requiredMark={false} asks="never">
        <Candidates ghost={ghost} />
        <Row gap={3} className={styles.pair}>
          <Form.Item name="start" label="Start" rules={[{ required: true, message: 'Enter a time.' }]}>
            <ClockInput />
          </Form.Item>
          <Form.Item name="end" label="End" rules={[{ required: true, message: 'Enter a time.' }]}>
            <ClockInput />
          </Form.Item>
        </Row>
      </EditForm>
    </Modal>
  )
}

/** Trucks and drivers for the shift, best first, as in the form of a shift. */
function Candidates({ ghost }: { ghost: Ghost }) {
  const suggestions = useSuggestions(undefined)
  return (
    <>
      <Form.Item name="truckUid" label="Truck">
        <SuggestionSelect of="trucks" suggestions={suggestions} lookup={truckLookup} current={ghost.truck} />
      </Form.Item>
      <Form.Item name="driverUid" label="Driver">
        <SuggestionSelect of="drivers" suggestions={suggestions} lookup={driverLookup} current={ghost.driver} />
      </Form.Item>
    </>
  )
}
