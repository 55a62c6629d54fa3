import { formatCount } from '@roadshow/contract/platform/figures'
import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { impressionMethodInput, impressions, TRAFFIC_FILE_BYTES } from '@roadshow/contract/proof/impressions'
import type { ImpressionInputs, ImpressionMethodSummary } from '@roadshow/contract/proof/impressions'
import { Drawer, Form, Input, Select } from 'antd'
import { ApiError } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { ChooseFile } from '../../ui/import/ChooseFile.tsx'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { StickyFooter } from '../../ui/form/StickyFooter.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { refuseInvalid } from '../../ui/form/useRefusal.ts'
import { MethodInputs } from './MethodInputs.tsx'

interface MethodValues {
  note: string
  traffic: 'keep' | 'none' | 'replace'
  inputs: ImpressionInputs
  trafficFile?: File
}

interface MethodDrawerProps {
  newest: ImpressionMethodSummary
  inputs: ImpressionInputs
  onClose: () => void
}

/** The file that replaces the counted roads, as text; empty where none does. */
async function trafficText(traffic: MethodValues['traffic'], file: File | undefined): Promise<string> {
  if (traffic !== 'replace') return ''
  if (!file) throw new ApiError(400, { error: 'Choose a GeoJSON file.' })
  if (file.size > TRAFFIC_FILE_BYTES) throw new ApiError(400, { error: 'The file must not be larger than 8 MB.' })
  return file.text()
}

/** A new version of the method, based on the newest one. */
export function MethodDrawer({ newest, inputs, onClose }: MethodDrawerProps) {
  const save = useSave(impressions.addMethod)
  const notice = useNotice()
  const base: MethodValues = { note: '', traffic: 'keep', inputs }
  const edit = useRecordForm({
    base,
    toInput: (values) => values,
    async save({ trafficFile, ...values }) {
      const body = { basedOn: newest.version, ...values, trafficFile: await trafficText(values.traffic, trafficFile) }
      refuseInvalid(impressionMethodInput, body)
      return save.mutateAsync({ body })
    },
    onSaved() {
      notice(`Method ${newest.version + 1} is saved.`)
      onClose()
    },
  })
  const traffic = Form.useWatch('traffic', edit.form)
  return (
    <Drawer open onClose={onClose} size={LARGE_DRAWER_WIDTH} title={`Method ${newest.version + 1}`}>
      <EditForm edit={edit}>
        <Form.Item name="note" label="What is new" required extra="Readers of the method see it beside the version.">
          <Input maxLength={300} />
        </Form.Item>
        <MethodInputs />
        <Form.Item
          name="traffic"
          label="Counted roads"
          extra="Where a truck is within 100 feet of one, its count is used."
        >
          <Select options={trafficOptions(newest.segments)} />
        </Form.Item>
        {traffic === 'replace' && (
          <Form.Item
            name="trafficFile"
            label="GeoJSON file"
            valuePropName="file"
            trigger="onChoose"
            extra="Lines with their daily vehicles in dailyVehicles or aadt; at most 5,000 lines and 8 MB."
          >
            <ChooseFile accept=".geojson,.json,application/geo+json,application/json" />
          </Form.Item>
        )}
        <StickyFooter act="Save as new version" isBusy={edit.isBusy} onClose={onClose} />
      </EditForm>
    </Drawer>
  )
}

const trafficOptions = (segments: number) => [
  { value: 'keep', label: segments > 0 ? `Keep the ${formatCount(segments)} counted roads` : 'None' },
  ...(segments > 0 ? [{ value: 'none', label: 'Remove them' }] : []),
  { value: 'replace', label: segments > 0 ? 'Replace them with a file' : 'Load a file' },
]
